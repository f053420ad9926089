/**
 * Checks the form of outside data before it is used.
 */

/**
 * The reader of a snapshot turns its error into an error of the library.
 * @param of - The subject of the message.
 */
export function requireFit(fits: boolean, why: string, of?: unknown): asserts fits {
  if (!fits) throw new Error(of === undefined ? why : `${of}: ${why}`);
}

export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

export function fieldsOf(value: unknown, what: string): { readonly [key: string]: unknown } {
  requireFit(
    typeof value === "object" && value !== null && !Array.isArray(value),
    "it is not described",
    what,
  );
  return value as { readonly [key: string]: unknown };
}

export function listOf(value: unknown, what: string): readonly unknown[] {
  requireFit(Array.isArray(value), "there is not an array", what);
  return value;
}

export interface NamedPart {
  readonly name: string;
  readonly [key: string]: unknown;
}

/** The parts of a list, each with a unique name. */
export function namedParts(value: unknown, what: string): NamedPart[] {
  const parts = listOf(value, what).map((part) => {
    const fields = fieldsOf(part, what);
    return { ...fields, name: textOf(fields.name, what) };
  });
  requireDistinct(
    parts.map(({ name }) => name),
    what,
  );
  return parts;
}

export function textOf(value: unknown, what: string): string {
  requireFit(typeof value === "string", "one has no name", what);
  return value;
}

export function requireDistinct(list: readonly unknown[], what: string): void {
  requireFit(new Set(list).size === list.length, "two have the same name", what);
}
