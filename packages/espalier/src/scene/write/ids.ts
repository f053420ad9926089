/**
 * The ids of a scene's entities, both ways.
 */
import { type Entity, indexOf, type World } from "../../ecs/index.ts";
import { IdMaker } from "../read/link.ts";
import type { SceneNode } from "../read/node.ts";

export class SceneIds {
  private readonly world: World;
  /** By place in the world: the id, and the entity that has it. An array costs half of a map. */
  private readonly idAt: (string | undefined)[] = [];
  private readonly ownerAt: (Entity | undefined)[] = [];
  /** What was loaded: the index of each id, and the entities by index. */
  private loaded: ReadonlyMap<string, number> = new Map();
  private loadedEntities: readonly Entity[] = [];
  /** What was said since then; nothing for ids that are no longer used. */
  private readonly said = new Map<string, Entity | undefined>();
  /** Ids of destroyed entities whose place another one has got: undo may bring them back. */
  private readonly displaced = new Map<Entity, string>();
  private readonly reserved = new Set<string>();
  private readonly maker = new IdMaker((id) => this.last(id) !== undefined || this.reserved.has(id));

  constructor(world: World) {
    this.world = world;
  }

  /** The living entity of that id. */
  entity(id: string): Entity | undefined {
    const entity = this.last(id);
    return entity !== undefined && this.world.isAlive(entity) ? entity : undefined;
  }

  of(entity: Entity): string | undefined {
    const index = indexOf(entity);
    if (this.ownerAt[index] === entity) return this.idAt[index];
    return this.displaced.size === 0 ? undefined : this.displaced.get(entity);
  }

  set(entity: Entity, id: string): void {
    const before = this.of(entity);
    if (before !== undefined && this.last(before) === entity) this.said.set(before, undefined);
    this.note(entity, id);
    this.said.set(id, entity);
  }

  /** Takes over all ids of a draft that was loaded. */
  takeOver(
    nodes: readonly SceneNode[],
    byId: ReadonlyMap<string, number>,
    entities: readonly Entity[],
  ): void {
    this.loaded = byId;
    this.loadedEntities = entities;
    for (let k = 0; k < entities.length; k++) this.note(entities[k], nodes[k].id);
  }

  /** Gives the entity an id nobody has, like its name or that of its prefab. */
  generate(entity: Entity, like: string | undefined): string {
    const id = this.maker.make(like);
    this.set(entity, id);
    return id;
  }

  /** Makes sure that no generated id is this one. */
  reserve(id: string): void {
    this.reserved.add(id);
  }

  /** Every living entity with an id. */
  *entities(): IterableIterator<Entity> {
    for (const entity of this.ownerAt) if (entity !== undefined && this.world.isAlive(entity)) yield entity;
    for (const entity of this.displaced.keys()) if (this.world.isAlive(entity)) yield entity;
  }

  /** Every id that was ever used. */
  *known(): IterableIterator<string> {
    yield* this.loaded.keys();
    for (const id of this.said.keys()) if (!this.loaded.has(id)) yield id;
  }

  /** The entity that had the id last, dead or alive. */
  private last(id: string): Entity | undefined {
    if (this.said.size !== 0 && this.said.has(id)) return this.said.get(id);
    const k = this.loaded.get(id);
    return k === undefined ? undefined : this.loadedEntities[k];
  }

  private note(entity: Entity, id: string): void {
    const index = indexOf(entity);
    const owner = this.ownerAt[index];
    if (owner !== undefined && owner !== entity) {
      this.displaced.set(owner, this.idAt[index] as string);
    }
    if (this.displaced.size !== 0) this.displaced.delete(entity);
    this.idAt[index] = id;
    this.ownerAt[index] = entity;
  }
}
