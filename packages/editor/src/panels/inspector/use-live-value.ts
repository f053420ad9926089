/**
 * Values of a live world, each followed by the element that shows it: a changed number re-renders only its own input.
 * A game does not wait for its tool, and drawing the whole inspector for one number took longer than all the rest of the tool.
 */
import type { Entity } from "espalier";
import { useRef, useSyncExternalStore } from "react";
import type { App } from "../../shell/app.ts";

/**
 * The result of `read`, read again with every render and whenever values of a live world are updated. While one of the
 * entities is dead, or `isThere` returns `false`, the last result is kept: the view that shows it is about to be removed too.
 *
 * @param isSame - Whether two results look the same. `Object.is` if left out.
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
