/** Names that every object of JavaScript knows: as keys of a file they must mean nothing but themselves. */
export const dangerousKeys: readonly string[] = [
  "prototype",
  ...Object.getOwnPropertyNames(Object.prototype),
  "length",
  "then",
];

/** Runs `fn` and gives what it left behind in the objects that all others inherit from; empty when all is well. */
export function pollutionOf(fn: () => unknown): string[] {
  const shared = { object: Object.prototype, array: Array.prototype, function: Function.prototype };
  const keys = () =>
    Object.entries(shared).flatMap(([name, each]) =>
      Reflect.ownKeys(each).map((key) => `${name}.${String(key)}`),
    );
  const values = () =>
    Reflect.ownKeys(Object.prototype).map(
      (key) => Object.getOwnPropertyDescriptor(Object.prototype, key)?.value,
    );
  const before = new Set(keys());
  const valuesBefore = values();
  fn();
  const left = keys().filter((key) => !before.has(key));
  if (values().some((value, k) => value !== valuesBefore[k])) left.push("a changed value");
  return left;
}
