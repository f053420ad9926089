import type { Entity } from "../../ecs/index.ts";
import type { Registry } from "../registry.ts";
import type { Template } from "./node.ts";
import type { Prefabs } from "./prefab-source.ts";
import type { Report } from "./report.ts";

/** How a file is read, with all prefabs in it. */
export interface Reading {
  readonly registry: Registry;
  readonly report: Report;
  readonly prefabs: Prefabs;
  /** Whether to keep what cannot be used, and continue. */
  readonly lenient: boolean;
  /** Whether to keep unregistered components without a problem. */
  readonly keepUnknown: boolean;
  /** Whether to find what `JSON.parse` ignores: duplicate keys. Ten times as slow. */
  readonly thorough: boolean;
  /** Prefabs that have been read already, by the name that the scene uses. */
  readonly given: ReadonlyMap<string, Template>;
  /** Entities outside the scene that it may refer to, by the id it uses for them. */
  readonly externals: ReadonlyMap<string, Entity>;
}
