/**
 * The sources of a stream, and which parts of each entity it reports.
 */
import type { Store, WorldState } from "../../ecs/internal.ts";
import type { AnyTree } from "../state.ts";
import type { ValueCodec } from "../values/value-codec.ts";

export interface ChangeSource {
  readonly state: WorldState;
  readonly trees: readonly AnyTree[];
  readonly follows: (store: Store) => boolean;
  readonly followsField: ((component: string, field: string) => boolean) | undefined;
  readonly codecs: { readonly [field: string]: ValueCodec } | undefined;
}
