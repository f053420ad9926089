/**
 * What options name as values: another form of links, a limit of depth. Here, below everything that makes them, so that the options know no more
 * than that.
 */
import type { Depths } from "./depths.ts";
import type { Links } from "./links.ts";

/** Children in a fixed array inside each node; made by `inlineLinks`. */
export interface InlineLinks {
  /** Distinguishes the forms. */
  readonly form: "inline";
  /** The most children that a parent can have. */
  readonly maxChildren: number;
  /** @internal */
  readonly createLinks: (capacity: number) => Links;
}

/** How deep the trees of a hierarchy may get; made by `depthLimit`. */
export interface DepthLimit {
  /** More levels below a root are refused; no limit if left out. */
  readonly max: number | undefined;
  /** More levels below a root are warned of; no warning if left out. */
  readonly warn: number | undefined;
  /** @internal */
  readonly createDepths: (links: Links) => Depths;
  /** @internal `child` came under `parent` in a tree, which is a `TreeState`. */
  readonly warnIfDeep: (tree: object, depths: Depths, child: number, parent: number) => void;
}
