/**
 * Maps the keys of a patch to the entities of a world.
 */
import { describeValue, type Entity, type EntityLike, type World } from "../../ecs/index.ts";
import { ARCHETYPE, checkOptions, heldId, INDEX_MASK, isHandle, stateOf } from "../../ecs/internal.ts";
import { DuplicateKeyError, InvalidHistoryError } from "../errors.ts";
import type { Key } from "./patch.ts";

/** Instead of an archetype: there is no entity at this index. */
const EMPTY = -1;

/** Options of `createIdMap`. */
export interface IdMapOptions {
  /**
   * Whether the handles of removed entities are remembered: an entity that is added again under its key gets the same handle, so that
   * references to it are valid again; if it had several keys in turn, under the last of them. Takes memory for each key that was ever removed.
   */
  readonly remembers?: boolean;
}

/**
 * A map from the keys of patches to the entities of a world, for `applyPatch` and followers.
 *
 * @example
 * ```ts
 * const ids = createIdMap();
 * applyPatch(world, [{ op: "add", id: "tank", components: {}, positions: {} }], { ids });
 * ids.keyOf(ids.entityOf("tank")!); // → "tank"
 * ```
 */
export function createIdMap(options: IdMapOptions = {}): IdMap {
  checkOptions(true, "create an id map", options, { remembers: "boolean" });
  return new IdMap(options.remembers === true);
}

/** Maps keys to entities. Created by `createIdMap`. */
export class IdMap {
  private readonly byKey = new Map<Key, Entity>();
  private readonly byEntity = new Map<Entity, Key>();
  /** Removed keys, with the handles they had. */
  private readonly removed: Map<Key, Entity> | undefined;
  /** The last key that each removed entity had, where handles are remembered: only under that key it gets its handle again. */
  private readonly lastKeys = new Map<Entity, Key>();
  /** Functions that revert the changes of the current call, in the order of the changes. */
  private journal: (() => void)[] | undefined = undefined;

  /** @internal Use `createIdMap`. */
  constructor(remembers: boolean) {
    this.removed = remembers ? new Map() : undefined;
  }

  /** The number of keys. */
  get size(): number {
    return this.byKey.size;
  }

  /** The entity of a key. */
  entityOf(key: Key): Entity | undefined {
    return this.byKey.get(key);
  }

  /** The key of an entity. */
  keyOf(entity: EntityLike): Key | undefined {
    return this.byEntity.get(plain(entity));
  }

  /** All keys with their entities. */
  entries(): IterableIterator<[Key, Entity]> {
    return this.byKey.entries();
  }

  /**
   * Maps a key to an entity, for entities that exist on both sides from the start.
   * @throws DuplicateKeyError when the key means another entity, or the entity has another key; InvalidHistoryError for an invalid key or
   * entity.
   */
  set(key: Key, given: EntityLike): void {
    const entity = plain(given);
    if ((typeof key !== "string" && typeof key !== "number") || !isHandle(entity)) {
      throw new InvalidHistoryError(
        `Cannot map key ${describeValue(key)} to ${describeValue(entity)}: a key is a string or a number, and it means an entity.`,
        { value: key },
      );
    }
    const other = this.byKey.get(key);
    const own = this.byEntity.get(entity);
    if ((other !== undefined && other !== entity) || (own !== undefined && own !== key)) {
      throw new DuplicateKeyError(
        `Cannot map key ${describeValue(key)}: it means another entity, or the entity has another key. Drop that first.`,
        { key, entities: [entity] },
      );
    }
    if (other === entity) return;
    const { removed } = this;
    const former = removed?.get(key);
    this.byKey.set(key, entity);
    this.byEntity.set(entity, key);
    removed?.delete(key);
    this.journal?.push(() => {
      this.byKey.delete(key);
      this.byEntity.delete(entity);
      if (former !== undefined) removed?.set(key, former);
    });
  }

  /** Forgets the key of an entity. Nothing happens when it has none. */
  drop(given: EntityLike): void {
    const entity = plain(given);
    const key = this.byEntity.get(entity);
    if (key === undefined) return;
    this.byEntity.delete(entity);
    this.byKey.delete(key);
    const { removed, lastKeys } = this;
    const before = lastKeys.get(entity);
    removed?.set(key, entity);
    if (removed !== undefined) lastKeys.set(entity, key);
    this.journal?.push(() => {
      this.byEntity.set(entity, key);
      this.byKey.set(key, entity);
      removed?.delete(key);
      if (before === undefined) lastKeys.delete(entity);
      else lastKeys.set(entity, before);
    });
  }

  /** @internal */
  get(key: Key): Entity | undefined {
    return this.byKey.get(key);
  }

  /** @internal */
  has(key: Key): boolean {
    return this.byKey.has(key);
  }

  /** The former handle of a key, if it is free. @internal */
  returning(key: Key, world: World): Entity | undefined {
    const entity = this.removed?.get(key);
    if (entity === undefined || this.lastKeys.get(entity) !== key) return undefined;
    if (this.byEntity.has(entity) || world.isAlive(entity)) return undefined;
    const { used, info } = stateOf(world).table;
    const index = entity & INDEX_MASK;
    const isFree = index > used || info[(index << 2) | ARCHETYPE] === EMPTY;
    return isFree ? entity : undefined;
  }

  /** Runs `work`; reverts its changes to this map when it throws. @internal */
  allOrNothing<Result>(work: () => Result): Result {
    const outer = this.journal;
    const journal: (() => void)[] = [];
    this.journal = journal;
    try {
      return work();
    } catch (error) {
      for (const takeBack of journal.reverse()) takeBack();
      journal.length = 0;
      throw error;
    } finally {
      this.journal = outer;
      if (outer !== undefined) for (const takeBack of journal) outer.push(takeBack);
    }
  }
}

/** @throws InvalidHistoryError */
export function requireIdMap(ids: unknown, doing: string): void {
  if (ids === undefined || ids instanceof IdMap) return;
  throw new InvalidHistoryError(
    `Cannot ${doing}: ids is what createIdMap() returns, got ${describeValue(ids)}.`,
    { option: "ids", value: ids },
  );
}

/** The handle of an entity; an id map has no world to check it against. */
function plain(entity: EntityLike): Entity {
  return heldId(entity) ?? (entity as Entity);
}
