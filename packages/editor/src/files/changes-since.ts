/**
 * What changed in a document since its text was kept: much less to write than the text of a large scene, so that it can be kept
 * even in the middle of a drag.
 */
import type { Entity } from "espalier";
import {
  applyPatch,
  type ChangeStream,
  expandColumns,
  followChanges,
  type Key,
  type Patch,
} from "espalier/history";
import { instancesIn, keptOf } from "espalier/scene";
import type { EditorDocument } from "../document/document.ts";

/** Changes as they are stored. Survives JSON. */
export interface StoredChanges {
  readonly patch: Patch;
  /** The ids in the kept text of the entities in the patch: handles mean nothing in another world. */
  readonly ids: readonly (readonly [handle: number, id: string])[];
}

/** Follows a document from the moment its text was kept. `close` it when another text is kept. */
export class ChangesSince {
  readonly document: EditorDocument;
  private readonly stream: ChangeStream;
  private readonly begin: number;
  /** Read at the start: an entity destroyed later no longer has an id. */
  private readonly ids = new Map<number, string>();
  private readonly instances: ReadonlySet<Entity>;
  private readonly rereads: number;

  /** Call it right after `save()`, which gives every entity an id. */
  constructor(document: EditorDocument) {
    this.document = document;
    const { world, tree, scene } = document;
    this.stream = followChanges(world, { trees: [tree] });
    this.begin = this.stream.sequence;
    this.rereads = document.rereads;
    this.instances = rootsOf(document);
    for (const entity of world.entities()) {
      const id = scene?.idOf(entity);
      if (id !== undefined) this.ids.set(entity, id);
    }
  }

  /** @throws ChangesLostError when there are too many to hold; keep the text again then. */
  read(): StoredChanges {
    const patch = expandColumns(this.stream.since(this.begin).patch);
    const ids = new Map<number, string>();
    for (const handle of integersIn(patch)) {
      const id = this.ids.get(handle);
      if (id !== undefined) ids.set(handle, id);
    }
    return { patch, ids: [...ids] };
  }

  /**
   * Whether something changed that is not in the world and so not in a patch: which entities are instances of prefabs, the texts of
   * prefabs, and parts of a file that the format does not know. Only the text contains these.
   */
  get needsText(): boolean {
    const { world, tree, rereads } = this.document;
    if (rereads !== this.rereads) return true;
    const roots = rootsOf(this.document);
    for (const root of roots) if (!this.instances.has(root)) return true;
    for (const root of this.instances) if (!roots.has(root) && world.isAlive(root)) return true;
    return world.entities().some((entity) => !this.ids.has(entity) && isKeptOf(tree, entity));
  }

  close(): void {
    this.stream.close();
  }
}

function rootsOf({ tree }: EditorDocument): Set<Entity> {
  return new Set(instancesIn(tree).map(({ root }) => root));
}

function isKeptOf(tree: EditorDocument["tree"], entity: Entity): boolean {
  return Object.values(keptOf(tree, entity)).some((values) => Object.keys(values).length > 0);
}

/**
 * Applies the changes to a document that was just opened from the kept text. All or nothing; not a step of its history.
 * @throws what `applyPatch` throws.
 */
export function applyChanges(document: EditorDocument, { patch, ids }: StoredChanges): void {
  const { world, tree, scene } = document;
  const keys = new Map<Entity, Key>();
  for (const [handle, id] of ids) {
    const entity = scene?.find(id);
    if (entity !== undefined) keys.set(entity, handle);
  }
  applyPatch(world, patch, {
    trees: [tree],
    components: document.components,
    // Every entity needs a key, because positions in lists count all of them.
    key: (entity) => keys.get(entity) ?? `other ${entity}`,
  });
  document.history.clear();
  document.settle();
}

/** Every number in a patch that may be a handle. Other numbers do no harm. */
function* integersIn(value: unknown): Generator<number> {
  const left = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next === "number" && Number.isInteger(next)) yield next;
    else if (typeof next === "object" && next !== null) for (const one of Object.values(next)) left.push(one);
  }
}
