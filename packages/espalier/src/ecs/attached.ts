/**
 * What rooms and tools keep in a world, each under a name of its own.
 */
import type { WorldState } from "./state.ts";

/** What is kept under `key`; made when it is first asked for. */
export function attached<Value>({ attachments }: WorldState, key: string, make: () => Value): Value {
  let value = attachments.get(key) as Value | undefined;
  if (value === undefined) attachments.set(key, (value = make()));
  return value;
}
