/**
 * Calls of a game for single entities, with explicit names: each says local or world.
 */
import {
  type ComponentInit,
  DEVELOPMENT,
  type Entity,
  type EntityLike,
  handleOf,
  indexOf,
  observeEntities,
  requireAlive,
  type World,
} from "../ecs/index.ts";
import {
  createEntityEvents,
  type DestroyOptions,
  type EntityEvents,
  type Hierarchy,
} from "../hierarchy/index.ts";
import { type Activity, activityOf, type Pace, paceOf } from "../inherit/index.ts";
import { type DrawValues, drawValues } from "../render/index.ts";
import type { Affine2D, Local2D, Point, Transforms2D } from "../transform/index.ts";
import { type EntityHost, EntityObject } from "./entity-object.ts";

export interface EntityCallsOptions {
  readonly world: World;
  readonly tree: Hierarchy;
  readonly space: Transforms2D;
  readonly onWarn: (message: string) => void;
}

/** Calls of a game for single entities, with explicit names. */
export class EntityCalls implements EntityHost {
  /** The world of the game. */
  readonly world: World;
  /** The tree of the game. */
  readonly tree: Hierarchy;
  /** The transforms of the game. */
  readonly space: Transforms2D;
  /** Events that travel along the tree. */
  readonly events: EntityEvents;
  /** Whether entities are shown, inherited. */
  readonly visible: DrawValues["visible"];
  /** Whether entities are active, inherited. */
  readonly active: Activity;
  /** How fast time passes for entities, inherited; 0 for inactive ones. */
  readonly pace: Pace;
  /** The effective z, inherited. */
  readonly z: DrawValues["z"];
  protected readonly onWarn: (message: string) => void;
  /**
   * By index: finding the object of an entity must be very cheap. Objects of destroyed entities stay until another entity
   * with that index is requested: an undo may restore them.
   */
  private readonly objects: (EntityObject | undefined)[] = [];
  private readonly warned = new Set<string>();
  /** @internal Ends the observer that the messages of objects need. */
  protected readonly stopWatching: () => void;

  /** @internal */
  constructor({ world, tree, space, onWarn }: EntityCallsOptions) {
    this.world = world;
    this.tree = tree;
    this.space = space;
    this.onWarn = onWarn;
    this.events = createEntityEvents(tree);
    // Shared with all renderers of the tree.
    const { visible, z } = drawValues(tree);
    this.visible = visible;
    this.z = z;
    this.active = activityOf(tree);
    this.pace = paceOf(tree);
    // For messages only. Observing every destruction costs more than the destruction, so there is no observer in production.
    this.stopWatching =
      DEVELOPMENT && world.checks
        ? observeEntities(world, {
            name: "entity objects",
            order: Number.POSITIVE_INFINITY,
            destroy: (entity) => this.known(entity)?.leave(),
          })
        : () => undefined;
  }

  /** The entity as an object. The same object every time, as long as it is alive. */
  entity(entity: EntityLike): EntityObject {
    const id = handleOf(this.world, entity);
    const known = this.known(id);
    if (known !== undefined) return known;
    requireAlive(this.world, id, "make an object of an entity");
    const made = new EntityObject(this, id);
    this.objects[indexOf(id)] = made;
    return made;
  }

  private known(id: Entity): EntityObject | undefined {
    const object = this.objects[indexOf(id)];
    return object !== undefined && object.id === id ? object : undefined;
  }

  /**
   * Creates an entity. `spawn(space.at(10, 20), Health)`; for a child use `entity.spawn()` or `tree.attachNew`.
   *
   * @example
   * ```ts
   * const game = createGame();
   * const tank = game.spawn(game.space.at(100, 0));
   * tank.x; // → 100
   * ```
   */
  spawn(...components: ComponentInit[]): EntityObject {
    return this.entity(this.world.spawn(...components));
  }

  /** The entity at that path, as an object, or `null`: `find("/level/tank/turret")`. */
  find(path: string): EntityObject | null {
    const found = this.tree.find(path);
    return found === null ? null : this.entity(found);
  }

  // Local ------------------------------------------------------------------------------------------------------------------

  /** The position of the entity relative to its parent. */
  getLocalPosition(entity: EntityLike): Point {
    const { x, y } = this.space.localOf(entity);
    return { x, y };
  }

  /** Sets the position of the entity relative to its parent. */
  setLocalPosition(entity: EntityLike, x: number, y: number): void {
    this.space.setPosition(entity, x, y);
  }

  /** The rotation of the entity relative to its parent, in radians. */
  getLocalRotation(entity: EntityLike): number {
    return this.space.localOf(entity).rotation;
  }

  /** Sets the rotation of the entity relative to its parent, in radians. */
  setLocalRotation(entity: EntityLike, rotation: number): void {
    this.space.setRotation(entity, rotation);
  }

  /** The scale of the entity relative to its parent. */
  getLocalScale(entity: EntityLike): Point {
    const { scaleX, scaleY } = this.space.localOf(entity);
    return { x: scaleX, y: scaleY };
  }

  /** Sets the scale relative to its parent, the same on both axes if `y` is left out. */
  setLocalScale(entity: EntityLike, x: number, y: number = x): void {
    this.space.setScale(entity, x, y);
  }

  /** All values of its local transform, as a copy. */
  getLocalTransform(entity: EntityLike): Local2D {
    return this.space.localOf(entity);
  }

  /** Sets some values of its local transform; the others stay. */
  setLocalTransform(entity: EntityLike, local: Partial<Local2D>): void {
    this.space.setLocal(entity, local);
  }

  // World ------------------------------------------------------------------------------------------------------------------

  /** The position of the entity in the world. */
  getWorldPosition(entity: EntityLike): Point {
    return this.space.worldPosition(entity);
  }

  /** Sets the position in the world by computing the matching local position. */
  setWorldPosition(entity: EntityLike, x: number, y: number): void {
    this.space.setWorldPosition(entity, x, y);
  }

  /** The rotation of the entity in the world, in radians. */
  getWorldRotation(entity: EntityLike): number {
    return this.space.worldRotation(entity);
  }

  /** Sets the rotation of the entity in the world, in radians. */
  setWorldRotation(entity: EntityLike, rotation: number): void {
    this.space.setWorldRotation(entity, rotation);
  }

  /** The scale of the entity in the world. */
  getWorldScale(entity: EntityLike): Point {
    const { x, y } = this.space.lossyScale(entity);
    return { x, y };
  }

  /** Sets the scale in the world, the same on both axes if `y` is left out. */
  setWorldScale(entity: EntityLike, x: number, y: number = x): void {
    this.space.setWorldScale(entity, x, y);
  }

  /** The matrix from the entity to the world. */
  getWorldTransform(entity: EntityLike): Affine2D {
    return this.space.worldOf(entity);
  }

  /** Sets the world matrix of the entity. */
  setWorldTransform(entity: EntityLike, matrix: Affine2D): void {
    this.space.setWorld(entity, matrix);
  }

  // The tree ---------------------------------------------------------------------------------------------------------------

  /** Puts `child` under `parent`; `null` makes it a root. Local values stay, unless `keep` is `"world"`. */
  setParent(child: EntityLike, parent: EntityLike | null, options?: { readonly keep?: "world" }): void {
    this.tree.attach(child, parent, options);
  }

  /** Makes the entity a root; with `keep: "world"` it stays where it is. */
  removeParent(child: EntityLike, options?: { readonly keep?: "world" }): void {
    this.tree.detach(child, options);
  }

  /** The parent, or `null` for a root. */
  getParent(entity: EntityLike): Entity | null {
    return this.tree.parentOf(entity);
  }

  /** The children, in order. */
  getChildren(entity: EntityLike): Entity[] {
    return this.tree.childrenOf(entity);
  }

  /**
   * Destroys an entity with everything below it, children first. `{ children: "orphan" }` makes the children roots,
   * `"adopt"` gives them to its parent. `false` when it is already destroyed.
   */
  destroyEntity(entity: EntityLike, options?: DestroyOptions): boolean {
    return this.tree.destroy(entity, options);
  }

  // Deprecated -------------------------------------------------------------------------------------------------------------

  /**
   * The same as `getLocalPosition`.
   * @deprecated Says neither local nor world. Use `getLocalPosition` or `getWorldPosition`.
   */
  getPosition(entity: EntityLike): Point {
    this.warnOnce("getPosition", "getLocalPosition (what it does now) or getWorldPosition");
    return this.getLocalPosition(entity);
  }

  /**
   * The same as `setLocalPosition`.
   * @deprecated Says neither local nor world. Use `setLocalPosition` or `setWorldPosition`.
   */
  setPosition(entity: EntityLike, x: number, y: number): void {
    this.warnOnce("setPosition", "setLocalPosition (what it does now) or setWorldPosition");
    this.setLocalPosition(entity, x, y);
  }

  private warnOnce(name: string, instead: string): void {
    if (!DEVELOPMENT || !this.world.checks || this.warned.has(name)) return;
    this.warned.add(name);
    this.onWarn(`${name}() is deprecated: it says neither local nor world. Use ${instead}.`);
  }
}
