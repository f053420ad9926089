/**
 * An object for every entity of a query.
 */
import type { Object3D } from "three";
import type { Entity, Query, Term, World } from "../ecs/index.ts";

/** Options for binding three.js objects to entities. */
export interface BoundObjectsOptions {
  /** Creates the object of an entity. */
  readonly create: (entity: Entity) => Object3D;
  /** Frees the result of `create`: geometry and material, if they belong to one entity only. */
  readonly dispose?: (object: Object3D, entity: Entity) => void;
}

/** Where the objects are attached. */
interface Host {
  readonly space: { readonly tree: { readonly world: World } };
  attach(entity: Entity, object: Object3D): Object3D;
  objectOf(entity: Entity): Object3D | undefined;
  detach(entity: Entity): Object3D | undefined;
}

export class BoundObjects {
  private readonly host: Host;
  private readonly query: Query<readonly Term[]>;
  private readonly options: BoundObjectsOptions;
  private readonly objects = new Map<Entity, Object3D>();
  private version = Number.NaN;

  constructor(host: Host, query: Query<readonly Term[]>, options: BoundObjectsOptions) {
    this.host = host;
    this.query = query;
    this.options = options;
  }

  /** Creates and frees objects for entities added or removed since the last time. */
  update(): void {
    const { world } = this.host.space.tree;
    if (this.version === world.version && !this.query.isFiltered) return;
    const matches = this.query.ids();
    const now = new Set(matches);
    for (const entity of [...this.objects.keys()]) if (!now.has(entity)) this.free(entity);
    for (const entity of matches) {
      const known = this.objects.get(entity);
      if (known !== undefined) {
        // It was destroyed, which released the object, and restored since the last time.
        if (this.host.objectOf(entity) === undefined) this.host.attach(entity, known);
        continue;
      }
      const object = this.options.create(entity);
      this.host.attach(entity, object);
      this.objects.set(entity, object);
    }
    this.version = world.version;
  }

  dispose(): void {
    for (const entity of [...this.objects.keys()]) this.free(entity);
  }

  private free(entity: Entity): void {
    const object = this.objects.get(entity) as Object3D;
    this.objects.delete(entity);
    // A dead entity has already released it.
    this.host.detach(entity);
    this.options.dispose?.(object, entity);
  }
}
