/**
 * Paths inside a value of plain data, such as `[0, "radius"]` in a list of shapes, and copies that differ at one path.
 *
 * Component values are kept by reference, and the history keeps the previous one: nothing is changed in place.
 */

/** From the outside in: names of members, indices of items. */
export type ValuePath = readonly (string | number)[];

/** The value at a path; `undefined` if there is none. */
export function valueAt(value: unknown, path: ValuePath): unknown {
  let at = value;
  for (const step of path) {
    if (!hasStep(at, step)) return undefined;
    at = (at as { readonly [step: string]: unknown })[step];
  }
  return at;
}

/** Whether a member or an item exists at the path, even if it is `null`. */
export function hasValueAt(value: unknown, path: ValuePath): boolean {
  const last = path.at(-1);
  return last === undefined || hasStep(valueAt(value, path.slice(0, -1)), last);
}

/** A copy with another value at the path. Everything above it must exist; the last step may be a new member. */
export function withValueAt(value: unknown, path: ValuePath, next: unknown): unknown {
  return changedAt(value, path, () => next);
}

/** A copy without that member. */
export function withoutMember(value: unknown, path: ValuePath): unknown {
  const name = path.at(-1);
  return changedAt(value, path.slice(0, -1), (holder) =>
    Object.fromEntries(Object.entries(holder as object).filter(([member]) => member !== name)),
  );
}

/** A copy with `items` inserted into the list at `path`, the first at index `at`. */
export function withItems(value: unknown, path: ValuePath, at: number, items: readonly unknown[]): unknown {
  return changedList(value, path, (list) => [...list.slice(0, at), ...items, ...list.slice(at)]);
}

/** A copy in which `count` items from index `at` on are removed from the list at `path`. */
export function withoutItems(value: unknown, path: ValuePath, at: number, count = 1): unknown {
  return changedList(value, path, (list) => [...list.slice(0, at), ...list.slice(at + count)]);
}

/** A copy in which `count` items of the list at `path` move to another index; the others keep their order. */
export function withMovedItems(
  value: unknown,
  path: ValuePath,
  from: number,
  to: number,
  count = 1,
): unknown {
  return changedList(value, path, (list) => {
    const others = [...list.slice(0, from), ...list.slice(from + count)];
    return [...others.slice(0, to), ...list.slice(from, from + count), ...others.slice(to)];
  });
}

/** `shapes[0].radius` for `["shapes", 0, "radius"]`. */
export function shownPath(path: ValuePath): string {
  return path
    .map((step, k) => (typeof step === "number" ? `[${step}]` : k === 0 ? step : `.${step}`))
    .join("");
}

function hasStep(holder: unknown, step: string | number): boolean {
  return typeof holder === "object" && holder !== null && Object.hasOwn(holder, step);
}

function changedList(
  value: unknown,
  path: ValuePath,
  change: (list: readonly unknown[]) => readonly unknown[],
): unknown {
  return changedAt(value, path, (list) => change(list as readonly unknown[]));
}

/** Copies only the containers along the path. */
function changedAt(value: unknown, path: ValuePath, change: (value: unknown) => unknown): unknown {
  const holders = path.map((_, k) => valueAt(value, path.slice(0, k)));
  let next = change(valueAt(value, path));
  for (let k = path.length - 1; k >= 0; k--) {
    const holder = holders[k];
    const step = path[k] as string | number;
    if (Array.isArray(holder)) next = holder.map((item, n) => (n === step ? next : item));
    else next = { ...(holder as object), [step]: next };
  }
  return next;
}
