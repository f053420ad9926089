/**
 * The hooks of rooms that run a world. Colyseus 0.18.17 puts the hooks of plugins into the class of a room, so a room that has a hook of its own
 * goes without them. Two things give it one: `onUncaughtException`, with which the constructor of the first room of a class binds its hooks before the plugins
 * are there, and a hook that is written as a class field.
 */
import {
  OnAuthException,
  OnCreateException,
  OnDisposeException,
  OnJoinException,
  OnLeaveException,
  type Room,
} from "@colyseus/core";
import { InvalidMultiplayerError } from "../errors.ts";

const exceptions = {
  onCreate: OnCreateException,
  onAuth: OnAuthException,
  onJoin: OnJoinException,
  onLeave: OnLeaveException,
  onDispose: OnDisposeException,
} as const;

type Hook = (...given: unknown[]) => unknown;
type Hooks = { [name: string]: Hook | undefined };

/** By room: the hooks that were made here. */
const late = /* @__PURE__ */ new WeakMap<Room, ReadonlySet<unknown>>();

/**
 * Looks hooks up when they are called. What they throw goes to `onUncaughtException`, as in Colyseus. Only the first call for a room changes it:
 * hooks that the room gets after that are fields of its class.
 */
export function bindHooksLate(room: Room): void {
  if (late.has(room)) return;
  const made = new Set<Hook>();
  late.set(room, made);
  if (room.onUncaughtException === undefined) return;
  const hooks = room as unknown as Hooks;
  for (const [name, Exception] of Object.entries(exceptions)) {
    if (!Object.hasOwn(room, name)) continue;
    const hook: Hook = async (...given) => {
      try {
        return await (Object.getPrototypeOf(room) as Hooks)[name]?.apply(room, given);
      } catch (error) {
        const { message } = error as Error;
        const Made = Exception as new (...parts: unknown[]) => Error;
        room.onUncaughtException?.(new Made(error, message, ...given) as never, name as never);
        if (name !== "onDispose") throw error;
        return undefined;
      }
    };
    hooks[name] = hook;
    made.add(hook);
  }
}

/** @throws InvalidMultiplayerError for a room with hooks that hide those of the plugin. */
export function requireMethods(room: Room): void {
  for (const name of ["onJoin", "onLeave", "onDispose"] as const) {
    if (!Object.hasOwn(room, name) || late.get(room)?.has(room[name])) continue;
    throw new InvalidMultiplayerError(
      `Cannot host a world: ${name} of the room is a class field, which hides the hook of the plugin. Write it as a method: ${name}() { … }.`,
      { option: name },
    );
  }
}
