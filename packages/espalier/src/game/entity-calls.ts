/**
 * What a game does with single entities, by explicit names: local or world is always said.
 */
import {
  type ComponentInit,
  DEVELOPMENT,
  type Entity,
  indexOf,
  requireAlive,
  type World,
} from "../ecs/index.ts";
import {
  createEntityEvents,
  type DestroyOptions,
  type EntityEvents,
  type Hierarchy,
} from "../hierarchy/index.ts";
import { activity, createInherited, type Inherited } from "../inherit/index.ts";
import { type DrawValues, drawValues } from "../render/index.ts";
import type { Affine2D, Local2D, Point, Transforms2D } from "../transform/index.ts";
import { type EntityHost, type EntityLike, EntityObject, idIn } from "./entity-object.ts";

export interface EntityCallsOptions {
  readonly world: World;
  readonly tree: Hierarchy;
  readonly space: Transforms2D;
  readonly onWarn: (message: string) => void;
}

/** What a game does with single entities, by explicit names. */
export class EntityCalls implements EntityHost {
  readonly world: World;
  readonly tree: Hierarchy;
  readonly space: Transforms2D;
  readonly events: EntityEvents;
  readonly visible: DrawValues["visible"];
  readonly active: Inherited<(typeof activity)["component"]["schema"], boolean>;
  readonly z: DrawValues["z"];
  protected readonly onWarn: (message: string) => void;
  /**
   * By index: finding the object of an entity must cost next to nothing. Those that went stay in their place until another entity
   * is asked for there: an undo may bring them back.
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
    this.active = createInherited(tree, activity);
    // For messages only. An observer of every end costs more than what it watches, so there is none in production.
    this.stopWatching =
      DEVELOPMENT && world.checks
        ? world.observeEntities({
            name: "entity objects",
            order: Number.POSITIVE_INFINITY,
            destroy: (entity) => this.known(entity)?.leave(),
          })
        : () => undefined;
  }

  /** The entity as an object. The same object every time, as long as it lives. */
  entity(id: Entity): EntityObject {
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

  /** Creates an entity. `spawn(space.at(10, 20), Health)`; for a child use `entity.spawn()` or `tree.attachNew`. */
  spawn(...components: ComponentInit[]): EntityObject {
    return this.entity(this.world.spawn(...components));
  }

  /** The entity at that path, as an object, or `null`: `find("/level/tank/turret")`. */
  find(path: string): EntityObject | null {
    const found = this.tree.find(path);
    return found === null ? null : this.entity(found);
  }

  // Local ------------------------------------------------------------------------------------------------------------------

  getLocalPosition(entity: EntityLike): Point {
    const { x, y } = this.space.localOf(idIn(this, entity));
    return { x, y };
  }

  setLocalPosition(entity: EntityLike, x: number, y: number): void {
    this.space.setPosition(idIn(this, entity), x, y);
  }

  getLocalRotation(entity: EntityLike): number {
    return this.space.localOf(idIn(this, entity)).rotation;
  }

  setLocalRotation(entity: EntityLike, rotation: number): void {
    this.space.setRotation(idIn(this, entity), rotation);
  }

  getLocalScale(entity: EntityLike): Point {
    const { scaleX, scaleY } = this.space.localOf(idIn(this, entity));
    return { x: scaleX, y: scaleY };
  }

  setLocalScale(entity: EntityLike, x: number, y: number = x): void {
    this.space.setScale(idIn(this, entity), x, y);
  }

  getLocalTransform(entity: EntityLike): Local2D {
    return this.space.localOf(idIn(this, entity));
  }

  setLocalTransform(entity: EntityLike, local: Partial<Local2D>): void {
    this.space.setLocal(idIn(this, entity), local);
  }

  // World ------------------------------------------------------------------------------------------------------------------

  getWorldPosition(entity: EntityLike): Point {
    return this.space.worldPosition(idIn(this, entity));
  }

  /** Computes the local place that leads there, whatever rotation and scale the parents have. */
  setWorldPosition(entity: EntityLike, x: number, y: number): void {
    this.space.setWorldPosition(idIn(this, entity), x, y);
  }

  getWorldRotation(entity: EntityLike): number {
    return this.space.worldRotation(idIn(this, entity));
  }

  setWorldRotation(entity: EntityLike, rotation: number): void {
    this.space.setWorldRotation(idIn(this, entity), rotation);
  }

  getWorldScale(entity: EntityLike): Point {
    const { x, y } = this.space.lossyScale(idIn(this, entity));
    return { x, y };
  }

  setWorldScale(entity: EntityLike, x: number, y: number = x): void {
    this.space.setWorldScale(idIn(this, entity), x, y);
  }

  getWorldTransform(entity: EntityLike): Affine2D {
    return this.space.worldOf(idIn(this, entity));
  }

  setWorldTransform(entity: EntityLike, matrix: Affine2D): void {
    this.space.setWorld(idIn(this, entity), matrix);
  }

  // The tree ---------------------------------------------------------------------------------------------------------------

  /** Puts `child` under `parent`; `null` makes it a root. Local values stay, unless `keep` is `"world"`. */
  setParent(child: EntityLike, parent: EntityLike | null, options?: { readonly keep?: "world" }): void {
    const to = parent === null ? null : idIn(this, parent);
    this.tree.attach(idIn(this, child), to, options);
  }

  removeParent(child: EntityLike, options?: { readonly keep?: "world" }): void {
    this.tree.detach(idIn(this, child), options);
  }

  getParent(entity: EntityLike): Entity | null {
    return this.tree.parentOf(idIn(this, entity));
  }

  getChildren(entity: EntityLike): Entity[] {
    return this.tree.childrenOf(idIn(this, entity));
  }

  /**
   * Destroys an entity with everything below it, children first. `{ children: "orphan" }` makes the children roots,
   * `"adopt"` gives them to its parent. `false` when it is gone already.
   */
  destroyEntity(entity: EntityLike, options?: DestroyOptions): boolean {
    return this.tree.destroy(idIn(this, entity), options);
  }

  // Deprecated -------------------------------------------------------------------------------------------------------------

  /** @deprecated Says neither local nor world. Use `getLocalPosition` or `getWorldPosition`. */
  getPosition(entity: EntityLike): Point {
    this.warnOnce("getPosition", "getLocalPosition (what it does now) or getWorldPosition");
    return this.getLocalPosition(entity);
  }

  /** @deprecated Says neither local nor world. Use `setLocalPosition` or `setWorldPosition`. */
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
