/**
 * Creating the state of a space: all checks first, so that nothing has changed when one throws.
 */
import type { AnyComponent, Entity } from "../../ecs/index.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";
import type { KernelChoice } from "../../inherit/index.ts";
import { SlotKernel } from "../../inherit/internal.ts";
import { addSpaceKeeper, requireFields, requireUnused } from "../checks/check-space.ts";
import { checkSpace } from "../checks/check-values.ts";
import { InvalidSpaceError } from "../errors.ts";
import type { Geometry } from "../maths/geometry.ts";
import { type InheritMask, maskBits } from "./inherit-mask.ts";
import { keepWorld } from "./keep-world.ts";
import { SpaceState } from "./space-state.ts";
import { writeLocal } from "./write-local.ts";

/** What a space is made from. */
export interface SpaceParts {
  readonly tree: Hierarchy;
  readonly component: AnyComponent;
  /** The kind of its fields. */
  readonly kind: "f32" | "f64";
  readonly geometry: Geometry;
  readonly kernel: KernelChoice | undefined;
  readonly inherit: InheritMask | undefined;
  readonly name: string | undefined;
  /** The local values that keep an entity where it is, under another parent. */
  readonly localToKeep: (state: SpaceState, entity: Entity, parent: Entity | null) => object;
}

export function createSpaceState(parts: SpaceParts): SpaceState {
  const { tree, component, kind, geometry } = parts;
  const { inherit = "all", name = "world", localToKeep } = parts;
  const flags = maskBits(inherit, tree.world.checks);
  requireFields(component, geometry.fields, kind);
  requireUnused(tree, component);
  const kernel = new SlotKernel(geometry.pair, parts.kernel ?? "auto", () => {
    return new InvalidSpaceError(
      'Cannot use kernel: "wasm": WebAssembly with SIMD is missing here. Use "auto", which falls back to JavaScript.',
      { option: "kernel", value: "wasm" },
    );
  });
  addSpaceKeeper(tree, name, (child, parent) =>
    keepWorld(
      tree,
      child,
      component,
      (entity) => localToKeep(state, entity, parent),
      (entity, local) => writeLocal(state, entity, local),
    ),
  );
  const state = new SpaceState(tree, name, component, geometry, kernel, flags);
  checkSpace(state);
  return state;
}
