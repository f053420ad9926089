/** Which fields apply, depending on the values of others: a rectangle has no radius. */

type Values = { readonly [field: string]: unknown };

/** By the value of `Shape.kind`, in the order of its names. */
const shapes: { readonly [field: string]: readonly string[] } = {
  width: ["rect", "ellipse", "roundedRect"],
  height: ["rect", "ellipse", "roundedRect"],
  radius: ["circle", "roundedRect"],
  points: ["polygon", "line"],
};

/**
 * Whether a field has an effect for all of the given values of its component. Fields of the project's own components always apply.
 *
 * @param kinds - The names of `Shape.kind`.
 */
export function isApplicable(
  component: string,
  field: string,
  values: readonly Values[],
  kinds: readonly string[] = [],
): boolean {
  const wanted = component === "Shape" ? shapes[field] : undefined;
  if (wanted === undefined) return true;
  return values.some(({ kind }) => wanted.includes(kinds[kind as number] ?? ""));
}
