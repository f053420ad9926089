/**
 * Hooks of rooms that have `onUncaughtException`. Colyseus 0.18.17 binds them in the constructor of a room, and wraps them for plugins only when the
 * first room of a class has been made: that room would go without its plugin wherever its class has a hook of its own.
 */
import {
  OnAuthException,
  OnCreateException,
  OnDisposeException,
  OnJoinException,
  OnLeaveException,
  type Room,
} from "@colyseus/core";

const exceptions = {
  onCreate: OnCreateException,
  onAuth: OnAuthException,
  onJoin: OnJoinException,
  onLeave: OnLeaveException,
  onDispose: OnDisposeException,
} as const;

type Hook = (...given: unknown[]) => unknown;
type Hooks = { [name: string]: Hook | undefined };

/** Looks hooks up when they are called. What they throw goes to `onUncaughtException`, as in Colyseus. */
export function bindHooksLate(room: Room): void {
  if (room.onUncaughtException === undefined) return;
  const hooks = room as unknown as Hooks;
  for (const [name, Exception] of Object.entries(exceptions)) {
    if (!Object.hasOwn(room, name)) continue;
    hooks[name] = async (...given) => {
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
  }
}
