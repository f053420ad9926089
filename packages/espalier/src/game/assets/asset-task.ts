/**
 * One file to be loaded, and what asks for it.
 */
import type { AssetKind } from "../../ecs/index.ts";
import type { AssetUse } from "../../scene/index.ts";
import type { FoundSource } from "./asset-source.ts";

/** What is asked for: a name in a list, or what a field of an entity names. */
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
