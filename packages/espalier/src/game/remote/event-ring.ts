/**
 * The structural events of a game since they were first requested: entities added, removed and moved. The last thousand are kept.
 */
import { type Entity, observeEntities } from "../../ecs/index.ts";
import { onChildrenChanged } from "../../hierarchy/index.ts";
import type { Game } from "../game-api.ts";

export interface RecordedEvent {
  readonly at: number;
  readonly tick: number;
  readonly kind: "spawned" | "destroyed" | "attached" | "moved" | "detached";
  readonly id: Entity;
  readonly name: string | null;
  readonly parent?: Entity | null;
}

const most = 1000;

export class EventRing {
  private readonly game: Game;
  private readonly kept: RecordedEvent[] = [];
  private count = 0;
  private readonly ends: (() => void)[] = [];
  private readonly read: () => void;

  constructor(game: Game) {
    this.game = game;
    const { world, tree } = game;
    const reader = tree.events.reader({ name: "remote", onMissed: () => {} });
    this.read = () =>
      reader.forEach((event) => {
        if (event.type === "added") this.add("attached", event.child, event.parent);
        else if (event.type === "moved") this.add("moved", event.child, event.newParent);
        else if (event.type === "removed" && event.cause === "detach")
          this.add("detached", event.child, null);
      });
    this.ends.push(
      () => reader.close(),
      // In the same tick, and before the tree drops unread events.
      onChildrenChanged(tree, this.read),
      // Earlier events of the tree come first.
      observeEntities(world, {
        spawn: (entity) => {
          this.read();
          this.add("spawned", entity);
        },
        destroy: (entity) => {
          this.read();
          this.add("destroyed", entity);
        },
      }),
    );
  }

  /** Events from a number on, and the number for the next request. */
  since(from: number, limit: number) {
    this.read();
    const first = this.count - this.kept.length;
    const { tree, world } = this.game;
    // A new entity gets its name after its creation.
    const events = this.kept
      .slice(Math.max(0, from - first))
      .slice(0, limit)
      .map((event) => (world.isAlive(event.id) ? { ...event, name: tree.nameOf(event.id) ?? null } : event));
    // If no event is returned, such as for a limit of 0, none is skipped either.
    const next = Math.min(Math.max(from, first), this.count) + events.length;
    return { next, missed: Math.max(0, first - from), events };
  }

  close(): void {
    for (const end of this.ends) end();
  }

  private add(kind: RecordedEvent["kind"], id: Entity, parent?: Entity | null): void {
    const { tree, tick } = this.game;
    const name = this.game.world.isAlive(id) || kind === "destroyed" ? (tree.nameOf(id) ?? null) : null;
    this.kept.push({ at: this.count++, tick, kind, id, name, ...(parent === undefined ? {} : { parent }) });
    if (this.kept.length > most) this.kept.shift();
  }
}
