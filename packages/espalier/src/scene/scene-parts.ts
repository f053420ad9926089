/**
 * The parts of a `Scene` that saving and reloading use.
 */
import type { Entity } from "../ecs/index.ts";
import type { Hierarchy } from "../hierarchy/index.ts";
import type { SceneFile } from "./file.ts";
import type { Json } from "./json/json.ts";
import type { ReadOptions } from "./read/load.ts";
import type { Template } from "./read/node.ts";
import type { Prefabs } from "./read/prefab-source.ts";
import type { Registry } from "./registry.ts";
import type { MemberIds } from "./write/member-ids.ts";

/** What a scene was made from, to find changes later. */
export interface Origin {
  readonly input: string | SceneFile;
  readonly prefabs: Prefabs;
  /** The prefabs that its instances followed when it was saved, by the names that the text has for them. */
  readonly followed?: ReadonlyMap<string, Template>;
}

export interface SceneParts {
  readonly tree: Hierarchy;
  readonly registry: Registry;
  readonly options: ReadOptions;
  readonly key: number;
  readonly ids: MemberIds;
  /** The parent of its roots. */
  readonly parent: Entity | null;
  /** Keys of its file that saving writes again. */
  keys: { readonly [key: string]: Json };
  /** What it was last loaded from, reloaded from or saved as; `undefined` for a scene without a file. */
  origin: Origin | undefined;
  roots(): Entity[];
}
