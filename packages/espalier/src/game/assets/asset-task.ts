/**
 * One file to be loaded, and what needs it.
 */
import type { AssetKind } from "../../ecs/index.ts";
import type { AssetUse } from "../../scene/index.ts";
import type { FoundSource } from "./asset-source.ts";

/** A requested asset: a name in a list, or one named by a field of an entity. */
export type Wanted = Pick<AssetUse, "name"> & Partial<AssetUse> & { readonly file?: string };

/** One file to be loaded. */
export interface Task {
  readonly key: string;
  readonly name: string;
  readonly kind: AssetKind;
  readonly address: string;
  readonly source: FoundSource;
  readonly details?: unknown;
  readonly wanted: Wanted;
}
