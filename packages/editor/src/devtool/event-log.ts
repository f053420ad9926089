/**
 * The structural events of a world, in words: who came, went or moved.
 */
import type { Entity } from "espalier";
import type { EditorDocument } from "../document/document.ts";

export interface LogEntry {
  readonly id: number;
  readonly kind: "spawned" | "destroyed" | "added" | "removed" | "moved" | "reordered";
  readonly entity: Entity;
  readonly text: string;
}

const MOST = 500;

export class EventLog {
  entries: LogEntry[] = [];
  /** How many there were in all. */
  count = 0;
  private readonly ends: (() => void)[] = [];
  private next = 1;

  constructor(document: EditorDocument) {
    const { world, tree } = document;
    this.ends.push(
      world.observeEntities({
        spawn: (entity) => this.add("spawned", entity, ""),
        destroy: (entity) => this.add("destroyed", entity, document.label(entity)),
      }),
    );
    const reader = tree.events.reader();
    this.read = () => {
      for (const event of reader.read()) {
        if (event.type === "reordered") continue;
        const { child } = event as { child: Entity };
        const isThere = world.isAlive(child);
        const parent = isThere ? tree.parentOf(child) : null;
        const under = parent === null ? "" : ` under ${document.label(parent)}`;
        if (event.type !== "removed")
          this.add(event.type, child, `${isThere ? document.label(child) : ""}${under}`);
      }
    };
    this.ends.push(() => reader.close());
  }

  /** Takes over what the tree told since the last call. */
  read: () => void;

  clear(): void {
    this.entries = [];
  }

  close(): void {
    for (const end of this.ends) end();
  }

  private add(kind: LogEntry["kind"], entity: Entity, text: string): void {
    this.count++;
    this.entries.push({ id: this.next++, kind, entity, text });
    if (this.entries.length > MOST) this.entries.splice(0, this.entries.length - MOST);
  }
}
