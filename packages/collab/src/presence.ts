/**
 * The presence of people in a session: names, colours, selections and cursors.
 */
import { checkOptions, describeValue, type Entity } from "espalier";
import { EphemeralStore } from "loro-crdt";
import type { NodeId } from "./document/shared-document.ts";
import { InvalidCollabError } from "./errors.ts";
import type { SharedWorld } from "./world/shared-world.ts";

/** A person who edits. */
export interface SharedUser {
  /** The name shown beside the cursor. */
  readonly name: string;
  /** A CSS colour; derived from the name if left out. */
  readonly color?: string;
}

/** The cursor of a person, and the selection. */
export interface PresenceState {
  /** The entities that are selected. The others see those of them that are in the scene. */
  readonly selection: readonly Entity[];
  /** The position of the pointer, in the coordinates of the scene; `null` when it is outside. */
  readonly cursor: { readonly x: number; readonly y: number } | null;
}

/** Another member of the session. */
export interface OtherUser extends PresenceState {
  /** The id of the member; the same person with two windows is two members. */
  readonly id: string;
  /** The name that was given to `joinScene`. */
  readonly name: string;
  /** The colour that was given to `joinScene`, or one derived from the name. */
  readonly color: string;
}

interface Written {
  readonly [key: string]: string | number | boolean | null | string[] | { x: number; y: number };
  readonly name: string;
  readonly color: string;
  readonly selection: string[];
  readonly cursor: { x: number; y: number } | null;
}

/** Members without a message for this many milliseconds count as gone. */
const SILENCE = 30_000;

export class Presence {
  readonly store = new EphemeralStore<Record<string, Written>>(SILENCE);
  private readonly user: { readonly name: string; readonly color: string };
  private readonly own: string;
  private state: PresenceState = { selection: [], cursor: null };
  private beat: ReturnType<typeof setInterval> | undefined;

  constructor(own: string, user: SharedUser) {
    this.own = own;
    this.user = { name: user.name, color: user.color ?? colorOf(user.name) };
  }

  start(shared: SharedWorld): void {
    this.write(shared);
    this.beat = setInterval(() => this.write(shared), SILENCE / 3);
    (this.beat as { unref?: () => void }).unref?.();
  }

  set({ selection, cursor }: Partial<PresenceState>, shared: SharedWorld): void {
    // Copies: the state is written again later, and the caller may change its objects.
    this.state = {
      selection: selection === undefined ? this.state.selection : [...selection],
      cursor: cursor === undefined ? this.state.cursor : cursor && { x: cursor.x, y: cursor.y },
    };
    this.write(shared);
  }

  private write(shared: SharedWorld): void {
    const { selection, cursor } = this.state;
    const nodes = selection.flatMap((entity) => shared.nodeOf(entity) ?? []);
    this.store.set(this.own, { ...this.user, selection: nodes, cursor });
  }

  others(shared: SharedWorld): OtherUser[] {
    const states = this.store.getAllStates();
    return Object.keys(states)
      .filter((id) => id !== this.own)
      .sort()
      .flatMap((id) => {
        const state: unknown = states[id];
        if (!isWritten(state)) return [];
        const { name, color, selection, cursor } = state;
        const entities = selection
          .flatMap((node) => shared.entityOf(node as NodeId) ?? [])
          .filter((entity) => shared.world.isAlive(entity));
        return { id, name, color, selection: entities, cursor };
      });
  }

  /** Notifies the others at once that this member left. */
  leave(): void {
    clearInterval(this.beat);
    this.store.delete(this.own);
  }

  close(): void {
    clearInterval(this.beat);
    this.store.destroy();
  }
}

/** @throws InvalidOptionError, InvalidCollabError; others could not read such a state, and would consider the member gone. */
export function requirePresence(state: Partial<PresenceState>): void {
  checkOptions(true, "show where you are", state, { selection: "anything", cursor: "anything" });
  const { selection = [], cursor = null } = Object(state) as {
    readonly selection?: unknown;
    readonly cursor?: unknown;
  };
  const isEntity = (entity: unknown) => Number.isInteger(entity) || Number.isInteger(Object(entity).id);
  if (!Array.isArray(selection) || !selection.every(isEntity)) {
    throw new InvalidCollabError(
      `Cannot show what is selected: selection is an array of entities, got ${describeValue(selection)}.`,
      { option: "selection", value: selection },
    );
  }
  if (cursor !== null && !isPoint(cursor)) {
    throw new InvalidCollabError(
      `Cannot show the pointer: cursor is { x, y } with finite numbers, or null, got ${describeValue(cursor)}.`,
      { option: "cursor", value: cursor },
    );
  }
}

function isPoint(cursor: unknown): boolean {
  const { x, y } = Object(cursor) as { readonly x: unknown; readonly y: unknown };
  return Number.isFinite(x) && Number.isFinite(y);
}

/** Another program may send anything. */
function isWritten(state: unknown): state is Written {
  const { name, color, selection, cursor } = Object(state) as { readonly [key in keyof Written]: unknown };
  return (
    typeof name === "string" &&
    typeof color === "string" &&
    Array.isArray(selection) &&
    selection.every((node) => typeof node === "string") &&
    (cursor === null || isPoint(cursor))
  );
}

/** A colour for a name, visible on light and dark backgrounds. */
function colorOf(name: string): string {
  let sum = 0;
  for (const letter of name) sum = (Math.imul(sum, 31) + (letter.codePointAt(0) ?? 0)) >>> 0;
  return `hsl(${sum % 360} 70% 50%)`;
}
