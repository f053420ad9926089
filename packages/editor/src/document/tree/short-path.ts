/** Paths of entities as they are displayed. */

/** How many steps at the end of a long path are shown. */
const LAST = 3;

/** The path of an entity; a long one without its middle, because its beginning and its end say where it is. */
export function shortPath(path: string): string {
  const steps = path.split("/");
  // The first is empty: a path begins with a slash.
  if (steps.length <= LAST + 3) return path;
  return [...steps.slice(0, 2), "…", ...steps.slice(-LAST)].join("/");
}
