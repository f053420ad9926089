/**
 * Ids of entities while something is written.
 */
import { type Entity, indexOf } from "../../ecs/index.ts";
import { idMaker } from "../read/link.ts";

/** Ids of entities, for writers. */
export interface EntityIds {
  of(entity: Entity): string | undefined;
  /** Gives the entity an id derived from that of its instance. */
  give(entity: Entity, id: string): void;
  /** Gives the entity an unused id, like its name or that of its prefab. */
  generate(entity: Entity, like: string | undefined): string;
}

/** Temporary ids that are not stored. */
export class SceneIds implements EntityIds {
  /** By entity index: the id, and the entity that has it. An array costs half of a map. */
  private readonly idAt: (string | undefined)[] = [];
  private readonly ownerAt: (Entity | undefined)[] = [];
  private readonly reserved = new Set<string>();
  private readonly make = idMaker((id) => this.reserved.has(id));

  of(entity: Entity): string | undefined {
    const index = indexOf(entity);
    return this.ownerAt[index] === entity ? this.idAt[index] : undefined;
  }

  set(entity: Entity, id: string): void {
    this.reserve(id);
    this.give(entity, id);
  }

  give(entity: Entity, id: string): void {
    const index = indexOf(entity);
    this.idAt[index] = id;
    this.ownerAt[index] = entity;
  }

  generate(entity: Entity, like: string | undefined): string {
    const id = this.make(like);
    this.set(entity, id);
    return id;
  }

  /** Ensures that this id is not generated. */
  reserve(id: string): void {
    this.reserved.add(id);
  }

  /** Every entity with an id. */
  entities(): Entity[] {
    return this.ownerAt.filter((entity) => entity !== undefined);
  }
}
