/**
 * A three.js scene that follows the world: entities drive objects and instances, with `sync()` once per frame.
 */
import type { Group, InstancedMesh, Intersection, Object3D, Raycaster } from "three";
import {
  type ChangeReader,
  checkOptions,
  DeadEntityError,
  describeValue,
  type Entity,
  type EntityLike,
  expectArguments,
  formatEntity,
  handleOf,
  observeEntities,
  type Query,
  type Term,
} from "../ecs/index.ts";
import { type Activity, activityOf } from "../inherit/index.ts";
import { type FillPlane, type MatrixSpace, requireMatrixSpace } from "../transform/index.ts";
import { anObject, aQuery, aRaycaster, aVisibility } from "./arguments.ts";
import { BoundObjects, type BoundObjectsOptions } from "./bound-objects.ts";
import { AlreadyAttachedError, InvalidObjectError } from "./errors.ts";
import { createFlatRoot } from "./flat-root.ts";
import { Instances, type InstancesOptions } from "./instances.ts";
import { DrivenObjects } from "./objects.ts";

/** Options of `createThreeSync`. */
export interface ThreeSyncOptions {
  /** The plane of a 2D space: `"xy"` (the default), facing the viewer, or `"xz"`, on the ground. */
  readonly plane?: FillPlane;
  /** Effective visibility, from `createInherited(tree, visibility)`: hidden entities are not drawn. */
  readonly visibility?: VisibilitySource;
}

/** An inherited value of which entities are shown. */
export interface VisibilitySource {
  /** Whether the entity is shown. */
  of(entity: Entity): boolean;
  /** Updates all values; returns how many were computed. */
  propagate(): number;
  /** A reader of the entities whose value changed. */
  changes(): ChangeReader;
}

/** A hit of a ray, with the entity it belongs to. */
export interface EntityIntersection extends Intersection {
  /** The entity that drives the object. */
  readonly entity: Entity;
}

/**
 * Makes a three.js scene follow a space. Add `root` to your scene, attach objects to entities, and call `sync()` once a
 * frame before you render. The world matrices are computed here, not by three.js.
 *
 * @example
 * ```ts
 * import { Mesh } from "three";
 * const space = createTransforms3D(tree);
 * const view = createThreeSync(space);
 * const crane = world.spawn(space.at(10, 0, 0));
 * const hook = tree.attachNew(crane, space.at(4, 0, 0));
 * const mesh = view.attach(hook, new Mesh());
 * view.sync();
 * mesh.matrixWorld.elements.slice(12); // → [14, 0, 0, 1]
 * ```
 */
export function createThreeSync(space: MatrixSpace, options: ThreeSyncOptions = {}): ThreeSync {
  const doing = "follow a space with three.js";
  requireMatrixSpace(space, doing);
  checkOptions(space.tree.world.checks, doing, options, { plane: ["xy", "xz"], visibility: "anything" });
  if (options.visibility !== undefined)
    expectArguments(doing, ["visibility", options.visibility, aVisibility]);
  return new ThreeSync(space, options);
}

/** Synchronises a three.js scene with a space. Created by `createThreeSync`. */
export class ThreeSync {
  /** The space whose world transforms are written. */
  readonly space: MatrixSpace;
  /** Holds the attached objects that had no parent of their own. Add it to your scene. */
  readonly root: Group = createFlatRoot((object) => this.objects.notifyThree(object));
  private readonly plane: FillPlane;
  private readonly objects: DrivenObjects;
  private readonly bound = new Set<BoundObjects>();
  private readonly instances = new Map<Object3D, Instances>();
  private readonly visibility: VisibilitySource | undefined;
  private readonly visibilityChanges: ChangeReader | undefined;
  private readonly activity: Activity;
  private readonly activityChanges: ChangeReader;
  /** Objects that are hidden because their entity is inactive, and whether they were visible before. */
  private readonly switchedOff = new Map<Object3D, boolean>();
  private readonly endObserver: () => void;

  /** @internal Use `createThreeSync`. */
  constructor(space: MatrixSpace, options: ThreeSyncOptions) {
    this.space = space;
    this.plane = options.plane ?? "xy";
    this.visibility = options.visibility;
    this.objects = new DrivenObjects(space, this.plane, this.visibility !== undefined);
    this.visibilityChanges = this.visibility?.changes();
    this.activity = activityOf(space.tree);
    this.activityChanges = this.activity.changes();
    this.endObserver = observeEntities(space.tree.world, {
      name: "three.js objects",
      destroy: (entity) => void this.detach(entity),
    });
  }

  // Objects ----------------------------------------------------------------------------------------------------------------

  /**
   * Makes an entity drive an object of any kind: mesh, light, camera, bone, a whole model. Its `position`, `quaternion` and
   * `scale` are ignored from then on. Without a parent it is put into `root`. Its `matrixWorld` must stay the
   * same object; the array in it is replaced once. Geometry and material are yours to dispose of.
   *
   * @throws InvalidObjectError, AlreadyAttachedError, DeadEntityError.
   */
  attach<Object extends Object3D>(given: EntityLike, object: Object): Object {
    const { tree } = this.space;
    const entity = handleOf(tree.world, given);
    if (!tree.world.isAlive(entity)) {
      throw new DeadEntityError(
        `Cannot attach an object to ${formatEntity(entity)}: it is dead. Attach it before the entity is destroyed, or to another.`,
        { entities: [entity] },
      );
    }
    requireObject(object, "attach");
    if (this.objects.objectOf(entity) !== undefined) {
      throw new AlreadyAttachedError(
        `Cannot attach an object to ${tree.label(entity)}: it drives one already. Detach that first, or put both into a Group.`,
        { entities: [entity] },
      );
    }
    const other = this.objects.entityOf(object);
    if (other !== undefined) {
      throw new AlreadyAttachedError(
        `Cannot attach an object to ${tree.label(entity)}: ${tree.label(other)} drives it already. Detach it there first, or clone it.`,
        { entities: [entity, other] },
      );
    }
    this.objects.add(entity, object);
    if (object.parent === null) this.root.add(object);
    else if (object.parent !== this.root || object.children.length > 0) this.objects.notifyThree(object);
    this.show(entity, object);
    return object;
  }

  /** Releases the object of an entity, restores its former state, and removes it from `root`. Nothing happens without one. */
  detach(entity: EntityLike): Object3D | undefined {
    const object = this.objects.remove(handleOf(this.space.tree.world, entity));
    if (object !== undefined) this.giveBackVisible(object);
    if (object?.parent === this.root) this.root.remove(object);
    return object;
  }

  /**
   * Creates an object for every matching entity, now and later, and releases it when the entity no longer matches or dies; undo
   * is followed too. `dispose` frees the result of `create`. Returns a function that ends it.
   */
  attachEach(query: Query<readonly Term[]>, options: BoundObjectsOptions): () => void {
    const doing = "attach objects to a query";
    expectArguments(doing, ["it", query, aQuery]);
    checkOptions(this.space.tree.world.checks, doing, options, { create: "anything", dispose: "function" });
    expectArguments(doing, ["create", options?.create, "function"]);
    const bound = new BoundObjects(this, query, options);
    this.bound.add(bound);
    return () => {
      if (this.bound.delete(bound)) bound.dispose();
    };
  }

  /** The object that an entity drives. */
  objectOf(entity: EntityLike): Object3D | undefined {
    return this.objects.objectOf(handleOf(this.space.tree.world, entity));
  }

  // Instances --------------------------------------------------------------------------------------------------------------

  /**
   * Draws all matching entities with one `InstancedMesh`. It grows when there are more than its capacity.
   * Without a parent it is put into `root`. It is not culled (`frustumCulled`): three.js would compute its bounds
   * again in every frame.
   *
   * @throws InvalidObjectError, AlreadyAttachedError.
   */
  attachInstances(
    mesh: InstancedMesh,
    query: Query<readonly Term[]>,
    options: InstancesOptions = {},
  ): Instances {
    requireObject(mesh, "attach instances to");
    expectArguments("attach instances", ["it", query, aQuery]);
    checkOptions(this.space.tree.world.checks, "attach instances", options, instancesOptions);
    if (!mesh.isInstancedMesh) {
      throw new InvalidObjectError(
        `Cannot attach instances to ${describeObject(mesh)}: it is not an InstancedMesh. Make one of its geometry and material.`,
        { value: mesh },
      );
    }
    if (this.instances.has(mesh)) {
      throw new AlreadyAttachedError(
        `Cannot attach instances to ${describeObject(mesh)}: it draws another query already. Detach that first.`,
        { value: mesh },
      );
    }
    const { visibility, activity } = this;
    const made = new Instances(this.space, this.plane, mesh, query, {
      ...options,
      isVisible: (entity) => activity.of(entity) && (visibility?.of(entity) ?? true),
    });
    this.instances.set(mesh, made);
    mesh.frustumCulled = false;
    mesh.matrixAutoUpdate = false;
    mesh.matrixWorldAutoUpdate = false;
    mesh.matrixWorld.identity();
    mesh.count = 0;
    if (mesh.parent === null) this.root.add(mesh);
    return made;
  }

  /** Makes a mesh no longer follow entities; it stays as it is, and is removed from `root`. */
  detachInstances(mesh: InstancedMesh): boolean {
    const instances = this.instances.get(mesh);
    if (instances === undefined) return false;
    instances.dispose();
    this.instances.delete(mesh);
    if (mesh.parent === this.root) this.root.remove(mesh);
    return true;
  }

  // Each frame -------------------------------------------------------------------------------------------------------------

  /** Updates the space and writes only the changed world matrices. Returns how many. */
  sync(): number {
    // Queries may have the term `active`.
    this.activity.propagate();
    for (const bound of this.bound) bound.update();
    this.showVisible();
    let written = this.objects.update();
    for (const instances of this.instances.values()) written += instances.update();
    return written;
  }

  private showVisible(): void {
    const { visibility, visibilityChanges, activityChanges } = this;
    visibility?.propagate();
    if (activityChanges.pending === 0 && (visibilityChanges?.pending ?? 0) === 0) return;
    for (const instances of this.instances.values()) instances.refresh();
    const show = (entity: Entity) => {
      const object = this.objects.objectOf(entity);
      if (object !== undefined) this.show(entity, object);
    };
    activityChanges.forEach(show);
    visibilityChanges?.forEach(show);
  }

  /** Without an inherited visibility, `visible` is written only when the entity is deactivated or activated. */
  private show(entity: Entity, object: Object3D): void {
    const { visibility, switchedOff } = this;
    const isActive = this.activity.of(entity);
    if (visibility !== undefined) object.visible = isActive && visibility.of(entity);
    else if (isActive) this.giveBackVisible(object);
    else if (!switchedOff.has(object)) {
      switchedOff.set(object, object.visible);
      object.visible = false;
    }
  }

  private giveBackVisible(object: Object3D): void {
    const before = this.switchedOff.get(object);
    if (before === undefined) return;
    object.visible = before;
    this.switchedOff.delete(object);
  }

  // Rays -------------------------------------------------------------------------------------------------------------------

  /** The entity of a hit: of the object, of the nearest one above it, or of the instance; `null` without any. */
  entityOf(hit: Object3D | Pick<Intersection, "object" | "instanceId">): Entity | null {
    const isHit = !(Object(hit) as Object3D).isObject3D;
    const met = isHit ? (Object(hit) as { readonly object?: unknown }).object : hit;
    expectArguments("find the entity of an object", ["it", met, anObject]);
    const { object, instanceId } = (isHit ? hit : { object: hit }) as Pick<
      Intersection,
      "object" | "instanceId"
    >;
    const instances = this.instances.get(object);
    if (instances !== undefined) return instanceId === undefined ? null : instances.entityAt(instanceId);
    for (let up: Object3D | null = object; up !== null; up = up.parent) {
      const entity = this.objects.entityOf(up);
      if (entity !== undefined) return entity;
    }
    return null;
  }

  /**
   * The hits of a ray on objects of entities, nearest first. Call `sync()` before, if something moved.
   * Inactive entities are skipped. Rays hit hidden entities like others in three.js; leave them out with `visible`.
   *
   * @param targets - The objects to test; `root` if left out.
   */
  raycast(raycaster: Raycaster, targets: readonly Object3D[] = [this.root]): EntityIntersection[] {
    expectArguments("cast a ray", ["what casts it", raycaster, aRaycaster], ["the targets", targets, "list"]);
    for (const target of targets) expectArguments("cast a ray", ["the target", target, anObject]);
    return raycaster.intersectObjects([...targets], true).flatMap((hit) => {
      const entity = this.entityOf(hit);
      return entity === null || !this.activity.of(entity) ? [] : [{ ...hit, entity }];
    });
  }

  /** Releases everything: objects return to their former state, and the world is no longer followed. */
  dispose(): void {
    for (const bound of this.bound) bound.dispose();
    this.bound.clear();
    for (const mesh of [...this.instances.keys()]) this.detachInstances(mesh as InstancedMesh);
    for (const entity of [...this.objects.entities()]) this.detach(entity);
    this.objects.dispose();
    this.visibilityChanges?.close();
    this.activityChanges.close();
    this.endObserver();
    this.root.removeFromParent();
  }
}

const instancesOptions = { include: "function", onRow: "function" } as const;

function requireObject(object: Object3D, doing: string): void {
  if (object?.isObject3D === true) return;
  throw new InvalidObjectError(
    `Cannot ${doing} ${describeValue(object)}: it is not an Object3D of three.js.`,
    { value: object },
  );
}

function describeObject(object: Object3D): string {
  return object.name === "" ? object.type : `${object.type} ${describeValue(object.name)}`;
}
