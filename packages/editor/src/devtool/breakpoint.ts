/**
 * Finds out what changed a world at a breakpoint: the system or the behaviour that ran, and the call in the code of the game.
 */
import { type AnyComponent, type Entity, observe, observeEntities, type Schedule } from "espalier";
import type { RunningBehaviour } from "espalier/game";
import type { EditorDocument } from "../document/document.ts";
import type { Breakpoints } from "./live-session.ts";

/** A change that a breakpoint waits for. */
export interface Hit {
  readonly entity: Entity;
  /** The label of the entity, which may have been destroyed when this is read. */
  readonly label: string;
  readonly kind: "spawned" | "destroyed" | "moved" | "added" | "changed" | "removed";
  readonly component: string | undefined;
  /** The system of the schedule that ran. */
  readonly system: string | undefined;
  /** The behaviour that ran, with its hook and its entity: `Driver.update (tank)`. */
  readonly behaviour: string | undefined;
  /** The call that changed it, such as `update (driver.ts:12:5)`; `undefined` where the code of the game cannot be told from libraries. */
  readonly call: string | undefined;
}

/** What runs in the game at this moment. */
export interface RunningNow {
  readonly schedule: Schedule | undefined;
  readonly behaviour: RunningBehaviour | undefined;
}

/** Watches for the first change since the last `take()`. Adds a cost to every change in the game, so `close` it. */
export class ChangeBreakpoint {
  readonly wanted: Breakpoints;
  private readonly document: EditorDocument;
  private readonly running: () => RunningNow;
  private readonly ends: (() => void)[] = [];
  private hit: Hit | undefined;
  private readMoves: () => void = () => {};

  constructor(document: EditorDocument, wanted: Breakpoints, running: () => RunningNow) {
    this.document = document;
    this.wanted = wanted;
    this.running = running;
    const { world, format } = document;
    if (wanted.structure) {
      this.ends.push(
        observeEntities(world, {
          spawn: (entity) => this.note(entity, "spawned"),
          destroy: (entity) => this.note(entity, "destroyed"),
        }),
      );
      const reader = document.tree.events.reader({ name: "editor breakpoint", onMissed: () => {} });
      this.ends.push(() => reader.close());
      this.readMoves = () =>
        reader.forEach((event) => {
          if (event.type === "added" || event.type === "moved") this.noteMove(event.child);
        });
    }
    const component = wanted.component === "" ? undefined : format.component(wanted.component);
    if (component !== undefined) this.observe(component);
  }

  /** The first change since the last call. */
  take(): Hit | undefined {
    this.readMoves();
    const { hit } = this;
    this.hit = undefined;
    return hit;
  }

  close(): void {
    for (const end of this.ends) end();
  }

  private observe(component: AnyComponent): void {
    const { name } = component;
    this.ends.push(
      observe(this.document.world, component, {
        add: (entity) => this.note(entity, "added", name),
        set: (entity) => this.note(entity, "changed", name),
        remove: (entity) => this.note(entity, "removed", name),
      }),
    );
  }

  /** Read afterwards: the call that moved it is no longer known. */
  private noteMove(entity: Entity): void {
    const { document } = this;
    if (!document.world.isAlive(entity)) return;
    const label = document.label(entity);
    const unknown = { component: undefined, system: undefined, behaviour: undefined, call: undefined };
    this.hit ??= { entity, label, kind: "moved", ...unknown };
  }

  private note(entity: Entity, kind: Hit["kind"], component?: string): void {
    // Only the first: capturing a stack is expensive, and a game may change thousands of values in a frame.
    if (this.hit !== undefined) return;
    const { schedule, behaviour } = this.running();
    this.hit = {
      entity,
      label: this.document.label(entity),
      kind,
      component,
      system: schedule?.running,
      behaviour: behaviour === undefined ? undefined : this.named(behaviour),
      call: callIn(new Error().stack ?? ""),
    };
  }

  private named({ behaviour, hook, entity }: RunningBehaviour): string {
    const { document } = this;
    const owner = document.world.isAlive(entity) ? document.label(entity) : undefined;
    return owner === undefined ? `${behaviour}.${hook}` : `${behaviour}.${hook} (${owner})`;
  }
}

/** Files of libraries, including this editor. */
const foreign =
  /node_modules|\/\.vite\/deps\/|packages\/(?:espalier|editor)\/(?:src|dist)\/|<anonymous>|^node:/;

/** The innermost call of a stack in the code of the game: its name, and the file with line and column. */
export function callIn(stack: string): string | undefined {
  for (const line of stack.split("\n")) {
    // Chromium and Node: `at name (file:1:2)`, `at file:1:2`. Others: `name@file:1:2`.
    const found =
      /^\s*at (?:async )?(?:(.+) \()?(\S+?:\d+:\d+)\)?$/.exec(line) ?? /^(.*)@(\S+?:\d+:\d+)$/.exec(line);
    if (found === null) continue;
    const [, name = "", source = ""] = found;
    if (foreign.test(source)) continue;
    const file = source.replace(/^.*\//, "").replace(/\?[^:]*/, "");
    const short = name.replace(/^(?:Object|Function)\./, "").replace(/ \[as [^\]]*\]$/, "");
    return short === "" ? file : `${short} (${file})`;
  }
  return undefined;
}
