/**
 * The records of a space as they lie in memory, to read and to write in loops over everything.
 */
import type { EntityLike } from "../../ecs/index.ts";
import { announce, checkOptions } from "../../ecs/internal.ts";
import { WRITTEN } from "../../inherit/internal.ts";
import { TURNED } from "../maths/geometry.ts";
import type { MatrixSpace } from "./matrix-space.ts";
import { localRow, spaceStateOf } from "./space-key.ts";
import type { SpaceState } from "./space-state.ts";

const touchOptions = { only: ["position"] } as const;
const made = /* @__PURE__ */ new WeakMap<SpaceState, RawTransforms>();

/**
 * The records of a space, for loops over everything. Nothing is checked. Ask once, before the loop.
 *
 * @example
 * ```ts
 * const space = createTransforms2D(tree);
 * const crate = world.spawn(space.at(1, 2));
 * const raw = rawTransforms(space);
 * raw.locals[raw.rowOf(crate)] = 50; // x, the first field of Transform2D
 * raw.touch(crate);
 * space.worldX(crate); // → 50
 * ```
 */
export function rawTransforms(space: MatrixSpace): RawTransforms {
  const s = spaceStateOf(space, "read records");
  let raw = made.get(s);
  if (raw === undefined) {
    raw = new RawTransforms(s);
    made.set(s, raw);
  }
  return raw;
}

/** The local and world records of a space, by slot. */
export class RawTransforms {
  readonly #s: SpaceState;

  /** @internal Use `rawTransforms`. */
  constructor(s: SpaceState) {
    this.#s = s;
  }

  /**
   * The local records: `locals[rowOf(entity)]` and the numbers behind it are the fields of the
   * component in their order. What follows in a record is the space's own. After writing call `touchAll()`, or
   * `touch(entity)` for each. Nothing is checked, and `touchAll` notifies no listener of the component. The array is
   * replaced when the world grows and rows change with the tree: fetch both each time.
   */
  get locals(): Float32Array | Float64Array {
    const { flow, order } = this.#s;
    flow.claim(order.tail);
    return this.#s.local;
  }

  /** Numbers per row of `locals`: a slot's row is its number times this. */
  get localWidth(): number {
    return this.#s.localWidth;
  }

  /** Where the record of an entity begins in `locals`. */
  rowOf(entity: EntityLike): number {
    return localRow(this.#s, entity);
  }

  /** The world records as of the last `propagate()`, at `worlds[worldRowOf(entity)]`. */
  get worlds(): Float32Array | Float64Array {
    return this.#s.rows;
  }

  /** Numbers per row of `worlds`. */
  get worldWidth(): number {
    return this.#s.width;
  }

  /** Where the record of an entity begins in `worlds`. */
  worldRowOf(entity: EntityLike): number {
    return this.#s.flow.slotOf(entity, "read the world transform") * this.#s.width;
  }

  /** Says that the entity's record was written through `locals`. */
  touch(entity: EntityLike): void {
    const { flow, store, component } = this.#s;
    const node = flow.nodeOf(entity, "touch a transform");
    flow.mark(flow.order.slotOf[node], WRITTEN | TURNED);
    if (store.watched && this.#s.hasTransform(node)) announce(flow.ecs, flow.ecs.handleAt(node), component);
  }

  /**
   * Says that records were written through `locals`: the next pass computes all. With `{ only: "position" }` no rotation,
   * scale or skew was, which saves computing them again.
   */
  touchAll(options: { readonly only?: "position" } = {}): void {
    const s = this.#s;
    checkOptions(s.tree.world.checks, "touch all transforms", options, touchOptions);
    s.flow.isStale = true;
    if (options.only !== "position") s.deriveRange(1, s.order.tail);
  }
}
