/**
 * What observers can still read of what went: destroyed entities, until the present notices are delivered, and the values that remove
 * notices hand over.
 *
 * Values are saved as their columns hold them, and made objects of only when they are read.
 */
import type { Archetype } from "../archetypes/archetype.ts";
import { decodeValue } from "../components/fields.ts";
import type { Store } from "../components/store.ts";
import { type Entity, INDEX_MASK } from "../entities/entity.ts";
import { grown } from "../grown.ts";

/** Where the values of one entity or component begin. */
export interface Saved {
  readonly numbers: number;
  readonly references: number;
}

/** The world that they went from. */
interface GoneHost {
  isAlive(entity: Entity): boolean;
}

/** Room for this many numbers is kept for good. */
const KEPT = 4096;

export class Gone {
  private readonly entities = new Map<Entity, Saved & { readonly archetype: Archetype }>();
  private numbers = new Float64Array(64);
  private count = 0;
  private references: unknown[] = [];
  /** What rooms keep of destroyed entities, by room. */
  private readonly notes = new Map<object, Map<Entity, unknown>>();
  /** Whether the entities that leave now are kept. */
  isKeeping = false;

  /** An entity is about to leave. */
  keepEntity(entity: Entity, archetype: Archetype): void {
    this.entities.set(entity, { archetype, ...this.end });
    for (const store of archetype.stores) this.save(entity, store);
  }

  /** An entity is about to lose a component and live on. Gives where its values are saved. */
  saveComponent(entity: Entity, store: Store): Saved {
    const { end } = this;
    this.save(entity, store);
    return end;
  }

  private get end(): Saved {
    return { numbers: this.count, references: this.references.length };
  }

  private save(entity: Entity, store: Store): void {
    if (store.fields.length === 0) return;
    const end = this.count + store.packed;
    if (end > this.numbers.length) this.numbers = grown(this.numbers, Math.max(end, this.numbers.length * 2));
    store.access.save(store.rowOf(entity & INDEX_MASK), this.numbers, this.count, this.references);
    this.count = end;
  }

  /** Keeps something about a destroyed entity for a room. */
  note(room: object, entity: Entity, value: unknown): void {
    const notes = this.notes.get(room) ?? new Map<Entity, unknown>();
    this.notes.set(room, notes.set(entity, value));
  }

  noted(room: object, entity: Entity): unknown {
    return this.notes.get(room)?.get(entity);
  }

  /** Whether a destroyed entity is still readable. */
  knows(entity: Entity): boolean {
    return this.entities.has(entity);
  }

  has(entity: Entity, store: Store): boolean {
    return this.entities.get(entity)?.archetype.has[store.id] === 1;
  }

  /** The last values of a component of a destroyed entity, if they can still be read. */
  read(host: GoneHost, entity: Entity, store: Store): object | undefined {
    const saved = this.savedOf(entity, store);
    return saved === undefined ? undefined : this.valuesAt(host, store, saved);
  }

  valuesAt(host: GoneHost, store: Store, saved: Saved): object {
    let { numbers, references } = saved;
    const values: { [field: string]: unknown } = {};
    store.names.forEach((name, k) => {
      const isPacked = store.types[k]?.array !== undefined;
      const held = isPacked ? this.numbers[numbers++] : this.references[references++];
      values[name] = decodeValue(store.fields[k] as (typeof store.fields)[number], held, host);
    });
    return values;
  }

  /** Where the values of a destroyed entity's component are saved. */
  savedOf(entity: Entity, store: Store): Saved | undefined {
    const saved = this.entities.get(entity);
    if (saved === undefined || saved.archetype.has[store.id] !== 1) return undefined;
    let { numbers, references } = saved;
    for (const each of saved.archetype.stores) {
      if (each === store) break;
      numbers += each.packed;
      references += each.fields.length - each.packed;
    }
    return { numbers, references };
  }

  /** All notices are delivered. */
  clear(): void {
    if (this.entities.size !== 0) this.entities.clear();
    if (this.notes.size !== 0) this.notes.clear();
    if (this.references.length !== 0) this.references = [];
    if (this.numbers.length > KEPT) this.numbers = new Float64Array(KEPT);
    this.count = 0;
  }
}
