/**
 * Other forms of links than lists, as values: a program carries only those that it names.
 */
import type { World } from "../ecs/index.ts";
import { describeValue } from "../ecs/internal.ts";
import { InvalidHierarchyError } from "./errors.ts";
import { BoundedLinks } from "./links/bounded-links.ts";
import type { InlineLinks } from "./links/forms.ts";
import { createUpHierarchy, type UpHierarchy, type UpHierarchyOptions } from "./up-hierarchy.ts";

/** Parents only; made by `upLinks`. */
export interface UpLinks {
  /** Distinguishes the forms. */
  readonly form: "up";
  /** @internal */
  readonly createHierarchy: (world: World, options: UpHierarchyOptions) => UpHierarchy;
}

/** Parents can have up to this many children inline. */
const MOST_INLINE = 64;

/**
 * For `createHierarchy(world, { links: inlineLinks(4) })`: up to `maxChildren` (at most 64) in a fixed array inside each node. 24 + 4 x maxChildren
 * bytes per entity, the n-th child is one look-up, and neighbours are found by searching that array.
 *
 * @throws InvalidHierarchyError
 *
 * @example
 * ```ts
 * const slots = createHierarchy(world, { name: "slots", links: inlineLinks(4) });
 * limitsOf(slots).maxChildren; // → 4
 * ```
 */
export function inlineLinks(maxChildren: number): InlineLinks {
  if (!Number.isInteger(maxChildren) || maxChildren < 1 || maxChildren > MOST_INLINE) {
    throw new InvalidHierarchyError(
      `Cannot keep ${describeValue(maxChildren)} children inline. Give an integer from 1 to ${MOST_INLINE}, or leave links out, which has no bound.`,
      { option: "links", value: maxChildren, limit: MOST_INLINE },
    );
  }
  return { form: "inline", maxChildren, createLinks: (capacity) => new BoundedLinks(capacity, maxChildren) };
}

/**
 * For `createHierarchy(world, { links: upLinks() })`: a hierarchy that knows parents only, 8 bytes per entity, as `createUpHierarchy` makes it.
 *
 * @example
 * ```ts
 * const owners = createHierarchy(world, { name: "owners", links: upLinks() });
 * const [sword, hero] = [world.spawn(), world.spawn()];
 * owners.attach(sword, hero);
 * owners.parentOf(sword); // → hero
 * ```
 */
export function upLinks(): UpLinks {
  return { form: "up", createHierarchy: createUpHierarchy };
}
