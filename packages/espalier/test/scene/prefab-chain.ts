/** Long chains of prefabs. */
import type { SceneFile } from "espalier/scene";

/** In what a chain differs from the usual one. */
export interface ChainOptions {
  /** Every level moves `second` of the next one below `side`. */
  readonly moves?: boolean;
  /** Every level has one more entity. */
  readonly more?: boolean;
  /** Every level has its children in another order. */
  readonly turned?: boolean;
  /** The level whose `second` has a position. */
  readonly placed?: number;
}

/** Prefabs of which each contains the next, with a child beside it, a reference, an order and overrides by id and by name. */
export function chain(levels: number, options: ChainOptions = {}): { [name: string]: SceneFile } {
  const { moves = false, more = false, turned = false, placed } = options;
  const prefabs: { [name: string]: unknown } = {};
  for (let k = 0; k < levels; k++) {
    const isLast = k === levels - 1;
    const inner = {
      id: "in",
      prefab: String(k + 1),
      components: { Aim: { at: "side" } },
      overrides: {
        side: { components: { Position: { x: k } }, children: [{ id: "more" }] },
        ...(moves ? { second: { parent: "in/side" } } : { Second: { name: "S" } }),
      },
    };
    prefabs[k] = {
      entities: [
        {
          id: "root",
          order: turned ? ["second", "side"] : ["side", "second"],
          children: [
            { id: "second", name: "Second", components: k === placed ? { Position: { y: 5 } } : {} },
            { id: "side", components: { Aim: { at: isLast ? "second" : "in" } } },
            ...(more ? [{ id: "extra", components: { Aim: { at: "side" } } }] : []),
            ...(isLast ? [] : [inner]),
          ],
        },
      ],
    };
  }
  return prefabs as { [name: string]: SceneFile };
}
