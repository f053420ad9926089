/**
 * The ids of a scene's entities, as the world has them.
 */
import type { Entity, World } from "../../ecs/index.ts";
import { restoredTimes, unrecorded } from "../../history/internal.ts";
import { memberOf, noteMember, SceneMember } from "../member.ts";
import { IdMaker } from "../read/link.ts";
import type { IdIndex } from "../read/node.ts";
import type { EntityIds } from "./ids.ts";

export class MemberIds implements EntityIds {
  private readonly world: World;
  /** The scene that the ids belong to. */
  private readonly key: number;
  /** What was loaded: the index of each id, and the entities by index. */
  private loaded: IdIndex = new Map<string, number>();
  private loadedEntities: readonly Entity[] = [];
  /** All that ever had the id besides; the world tells which of them has it now. */
  private readonly owners = new Map<string, Entity[]>();
  /** The ids of their own that entities had before they became part of an instance, which may be undone. */
  private readonly former = new Map<Entity, string>();
  /** When the world was last looked through for ids that came by other ways. */
  private seenTimes: number;
  private readonly maker = new IdMaker((id) => this.loaded.has(id) || this.owners.has(id));

  constructor(world: World, key: number) {
    this.world = world;
    this.key = key;
    this.seenTimes = -1;
  }

  entity(id: string): Entity | undefined {
    return this.current(id) ?? (this.lookAround() ? this.current(id) : undefined);
  }

  of(entity: Entity): string | undefined {
    const noted = memberOf(this.world, entity);
    return noted?.scene === this.key ? noted.id : undefined;
  }

  set(entity: Entity, id: string): void {
    this.remember(entity, id);
    noteMember(this.world, entity, { scene: this.key, id });
  }

  /** An id belongs to its entity however far one goes back, so that giving it is no step that could be undone. */
  generate(entity: Entity, like: string | undefined): string {
    this.lookAround();
    const former = this.former.get(entity);
    const id = former !== undefined && this.current(former) === undefined ? former : this.maker.make(like);
    this.give(entity, id);
    return id;
  }

  give(entity: Entity, id: string): void {
    const before = this.of(entity);
    if (before !== undefined && !before.includes("/")) this.former.set(entity, before);
    unrecorded(this.world, () => this.set(entity, id));
  }

  /** Takes over all ids of a draft that was loaded with them. */
  takeOver(byId: IdIndex, entities: readonly Entity[]): void {
    this.loaded = byId;
    this.loadedEntities = entities;
    this.seenTimes = restoredTimes(this.world);
  }

  *entities(): IterableIterator<Entity> {
    for (const entity of this.world.query(SceneMember).ids()) if (this.of(entity) !== undefined) yield entity;
  }

  *known(): IterableIterator<string> {
    yield* this.loaded.keys();
    for (const id of this.owners.keys()) if (!this.loaded.has(id)) yield id;
  }

  private current(id: string): Entity | undefined {
    const k = this.loaded.get(id);
    const loaded = k === undefined ? undefined : this.loadedEntities[k];
    if (loaded !== undefined && this.of(loaded) === id) return loaded;
    return this.owners.get(id)?.find((entity) => this.of(entity) === id);
  }

  /** Takes note of ids that snapshots or patches brought. `false` when none can have come since the last time. */
  private lookAround(): boolean {
    const times = restoredTimes(this.world);
    if (times === this.seenTimes) return false;
    this.seenTimes = times;
    for (const entity of this.entities()) this.remember(entity, this.of(entity) as string);
    return true;
  }

  private remember(entity: Entity, id: string): void {
    const owners = this.owners.get(id);
    if (owners === undefined) this.owners.set(id, [entity]);
    else if (!owners.includes(entity)) owners.push(entity);
  }
}
