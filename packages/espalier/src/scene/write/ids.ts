/**
 * Ids of entities, both ways, while something is written.
 */
import { type Entity, indexOf, type World } from "../../ecs/index.ts";
import { IdMaker } from "../read/link.ts";

/** Ids of entities, both ways. */
export interface EntityIds {
  /** The living entity of that id. */
  entity(id: string): Entity | undefined;
  of(entity: Entity): string | undefined;
  /** Gives the entity an id. */
  set(entity: Entity, id: string): void;
  /** The same for an id that follows from what is there, while it is written to a file. */
  give(entity: Entity, id: string): void;
  /** Gives the entity an unused id, like its name or that of its prefab. */
  generate(entity: Entity, like: string | undefined): string;
  /** Every living entity with an id. */
  entities(): IterableIterator<Entity>;
  /** Every id that was ever used. */
  known(): IterableIterator<string>;
}

/** Ids for a while: what is written or compared, and kept nowhere. */
export class SceneIds implements EntityIds {
  private readonly world: World;
  /** By place in the world: the id, and the entity that has it. An array costs half of a map. */
  private readonly idAt: (string | undefined)[] = [];
  private readonly ownerAt: (Entity | undefined)[] = [];
  /** What was said; nothing for ids that are no longer used. */
  private readonly said = new Map<string, Entity | undefined>();
  private readonly reserved = new Set<string>();
  /** Ids inside instances that are not in `said` yet: they may be very long, and hardly anybody asks for one. */
  private waiting: Entity[] = [];
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
    return this.ownerAt[index] === entity ? this.idAt[index] : undefined;
  }

  set(entity: Entity, id: string): void {
    const before = this.of(entity);
    if (before !== undefined && this.last(before) === entity) this.said.set(before, undefined);
    this.note(entity, id);
    this.said.set(id, entity);
  }

  give(entity: Entity, id: string): void {
    if (this.of(entity) !== undefined) {
      this.set(entity, id);
      return;
    }
    this.note(entity, id);
    this.waiting.push(entity);
  }

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
  }

  /** Every id that was ever used. */
  *known(): IterableIterator<string> {
    this.complete();
    yield* this.said.keys();
  }

  /** The entity that had the id last, dead or alive. */
  private last(id: string): Entity | undefined {
    if (this.waiting.length > 0 && id.includes("/")) this.complete();
    return this.said.get(id);
  }

  private complete(): void {
    const { waiting } = this;
    this.waiting = [];
    for (const entity of waiting) {
      const id = this.of(entity);
      if (id !== undefined) this.said.set(id, entity);
    }
  }

  private note(entity: Entity, id: string): void {
    const index = indexOf(entity);
    this.idAt[index] = id;
    this.ownerAt[index] = entity;
  }
}
