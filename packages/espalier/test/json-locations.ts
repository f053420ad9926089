/**
 * For tests that break files and snapshots: every location in a value that JSON can hold.
 */

/** Every location in a JSON value, as a function that puts something else there. */
export function locations(value: unknown): ((other: unknown) => void)[] {
  const found: ((other: unknown) => void)[] = [];
  const stack = [value];
  while (stack.length > 0) {
    const at = stack.pop();
    if (typeof at !== "object" || at === null) continue;
    const holder = at as { [key: string]: unknown };
    for (const key of Object.keys(holder)) {
      found.push((other) => {
        if (other === undefined && Array.isArray(at)) at.splice(Number(key), 1);
        else if (other === undefined) delete holder[key];
        else holder[key] = other;
      });
      stack.push(holder[key]);
    }
  }
  return found;
}
