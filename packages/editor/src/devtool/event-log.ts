/**
 * The structural events of a world: entities added, removed or moved. Kept in a ring, and put into words only when they are shown: a game
 * may make thousands of them in a second.
 */
import { type Entity, observeEntities } from "espalier";
import type { EditorDocument } from "../document/document.ts";

export type LogKind = "spawned" | "destroyed" | "added" | "moved";

export interface LogEntry {
  readonly id: number;
  readonly kind: LogKind;
  readonly entity: Entity;
  readonly text: string;
}

const MOST = 256;

export class EventLog {
  /** How many there were in all. */
  count = 0;
  private readonly document: EditorDocument;
  private readonly kinds: LogKind[] = [];
  private readonly entities: Entity[] = [];
  /** Names of destroyed entities, which are kept only here. */
  private readonly names: (string | undefined)[] = [];
  private first = 0;
  private readonly ends: (() => void)[] = [];

  constructor(document: EditorDocument) {
    const { world, tree } = document;
    this.document = document;
    this.ends.push(
      observeEntities(world, {
        spawn: (entity) => this.add("spawned", entity, undefined),
        destroy: (entity) => this.add("destroyed", entity, tree.nameOf(entity)),
      }),
    );
    const reader = tree.events.reader({ name: "editor", onMissed: () => {} });
    this.read = () =>
      reader.forEach((event) => {
        if (event.type === "added" || event.type === "moved") this.add(event.type, event.child, undefined);
      });
    this.ends.push(() => reader.close());
  }

  /** Reads the events of the tree since the last call. */
  read: () => void;

  /** At most `most` events, the latest first. */
  latest(most: number): readonly LogEntry[] {
    const entries: LogEntry[] = [];
    const { world, tree } = this.document;
    const from = Math.max(this.first, this.count - Math.min(most, MOST));
    for (let id = this.count - 1; id >= from; id--) {
      const at = id % MOST;
      const kind = this.kinds[at] as LogKind;
      const entity = this.entities[at] as Entity;
      const isThere = world.isAlive(entity);
      const label = isThere ? this.document.label(entity) : (this.names[at] ?? `#${entity}`);
      const parent = isThere && kind !== "spawned" ? tree.parentOf(entity) : null;
      const text =
        parent === null
          ? label
          : this.document.t("activity.under", { name: label, parent: this.document.label(parent) });
      entries.push({ id, kind, entity, text });
    }
    return entries;
  }

  clear(): void {
    this.first = this.count;
  }

  close(): void {
    for (const end of this.ends) end();
  }

  private add(kind: LogKind, entity: Entity, name: string | undefined): void {
    const at = this.count++ % MOST;
    this.kinds[at] = kind;
    this.entities[at] = entity;
    this.names[at] = name;
  }
}
