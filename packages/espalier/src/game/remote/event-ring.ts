/**
 * The structural events of a game since they were first asked for: which entities came, went and moved. The last thousand are kept.
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
      // In the tick in which it happens, and before the tree forgets what no reader took.
      onChildrenChanged(tree, this.read),
      // What the tree reported before comes first.
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

  /** Events from a number on, and the number to ask from next. */
  since(from: number, limit: number) {
    this.read();
    const first = this.count - this.kept.length;
    const { tree, world } = this.game;
    // A new entity gets its name after it was made.
    const events = this.kept
      .slice(Math.max(0, from - first))
      .slice(0, limit)
      .map((event) => (world.isAlive(event.id) ? { ...event, name: tree.nameOf(event.id) ?? null } : event));
    // Where none is given, such as for a limit of 0, none is passed over either.
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
