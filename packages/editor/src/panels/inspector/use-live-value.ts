/**
 * Values of a live world, each followed by what shows it: a number that changes draws its own input again and nothing around it.
 * A game does not wait for its tool, and drawing the whole inspector for one number took longer than all the rest of the tool.
 */
import type { Entity } from "espalier";
import { useRef, useSyncExternalStore } from "react";
import type { App } from "../../shell/app.ts";

/**
 * What `read` gives, read again with every drawing and whenever values of a live world are brought up to date. While one of the
 * entities is gone, or `isThere` says no, it stays what it was: the view that shows them is about to be removed too.
 *
 * @param isSame - Says of two results whether they are shown alike. `Object.is` if left out.
 */
export function useLiveValue<Value>(
  app: App,
  entities: readonly Entity[],
  read: () => Value,
  isSame: (a: Value, b: Value) => boolean = Object.is,
  isThere: (entity: Entity) => boolean = (entity) => app.document.world.isAlive(entity),
): Value {
  const last = useRef<{ readonly value: Value } | undefined>(undefined);
  return useSyncExternalStore(app.live.subscribeTo.values, () => {
    const before = last.current;
    if (before !== undefined && !entities.every(isThere)) return before.value;
    const value = read();
    if (before !== undefined && isSame(before.value, value)) return before.value;
    last.current = { value };
    return value;
  });
}
