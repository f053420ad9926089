/**
 * The ids of a scene's entities in the world.
 */
import type { Entity, World } from "../../ecs/index.ts";
import { restoredTimes, unrecorded } from "../../history/internal.ts";
import { memberOf, noteMember, SceneMember } from "../member.ts";
import { findId } from "../read/id-steps.ts";
import { idMaker } from "../read/link.ts";
import type { Draft } from "../read/read.ts";
import { IdTree } from "./id-tree.ts";
import type { EntityIds } from "./ids.ts";

/** A draft, and the entities of its nodes. */
export interface LoadedIds extends Pick<Draft, "nodes" | "byId"> {
  readonly entities: readonly (Entity | undefined)[];
}

export class MemberIds implements EntityIds {
  private readonly world: World;
  /** The scene that the ids belong to. */
  private readonly key: number;
  /** The draft that was last loaded or reloaded. */
  loaded: LoadedIds | undefined = undefined;
  /** All other entities that ever had an id; the world shows which of them has it now. */
  readonly others = new IdTree();
  /** The ids that entities have while they are outside of instances; undo may move them in or out. */
  private readonly former = new Map<Entity, string>();
  /** When the world was last searched for ids that arrived otherwise. */
  private seenTimes: number;
  private readonly make = idMaker(
    (id) => this.loaded?.byId.find(id) !== undefined || findId(this.others, id) !== undefined,
  );

  constructor(world: World, key: number) {
    this.world = world;
    this.key = key;
    this.seenTimes = -1;
  }

  /** The living entity with that id. */
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

  /** Gives an id to an entity that was not in the scene: an edit, which undo takes back. */
  enter(entity: Entity, like: string | undefined): string {
    this.lookAround();
    const id = this.make(like);
    this.set(entity, id);
    return id;
  }

  /** An id belongs to its entity at every position of a history, so assigning it is not an undoable step. */
  generate(entity: Entity, like: string | undefined): string {
    this.lookAround();
    const wasInside = this.of(entity)?.includes("/") === true;
    const former = wasInside ? this.former.get(entity) : undefined;
    const id = former !== undefined && this.current(former) === undefined ? former : this.make(like);
    this.give(entity, id);
    // It may be outside the instance at other positions of a history too.
    if (wasInside) this.former.set(entity, id);
    return id;
  }

  give(entity: Entity, id: string): void {
    const before = this.of(entity);
    if (before !== undefined && !before.includes("/")) this.former.set(entity, before);
    unrecorded(this.world, () => this.set(entity, id));
  }

  /** Takes over all ids of a draft that was loaded with them. */
  takeOver({ nodes, byId }: Draft, entities: readonly Entity[]): void {
    this.loaded = { nodes, byId, entities };
    this.seenTimes = restoredTimes(this.world);
  }

  /** Every living entity with an id. */
  *entities(): IterableIterator<Entity> {
    for (const entity of this.world.query(SceneMember).ids()) if (this.of(entity) !== undefined) yield entity;
  }

  private current(id: string): Entity | undefined {
    const { loaded } = this;
    // Users may pass anything.
    if (typeof id !== "string") return undefined;
    const k = loaded?.byId.find(id);
    const entity = k === undefined ? undefined : loaded?.entities[k];
    if (entity !== undefined && this.of(entity) === id) return entity;
    return findId(this.others, id)?.owners.find((owner) => this.of(owner.entity) === id)?.entity;
  }

  /** Finds ids that came with snapshots or patches. `false` when there can be none since the last time. */
  lookAround(): boolean {
    const times = restoredTimes(this.world);
    if (times === this.seenTimes) return false;
    this.seenTimes = times;
    for (const entity of this.entities()) this.remember(entity, this.of(entity) as string);
    return true;
  }

  private remember(entity: Entity, id: string): void {
    let tree = this.others;
    for (const step of id.split("/")) tree = tree.step(step);
    tree.add({ entity, id });
  }
}
