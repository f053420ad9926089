/**
 * The self-test of a space: local records that are not what the component says, world values that are not up to date.
 */
import type { Finding } from "../../ecs/index.ts";
import { DEVELOPMENT, INDEX_MASK, provideCheck } from "../../ecs/internal.ts";
import { staleValues } from "../../inherit/internal.ts";
import type { SpaceState } from "../spaces/space-state.ts";

const code = "transform/inconsistent";

/** From now on the space is a part of `checkWorld`. */
export function checkSpace(state: SpaceState): void {
  if (!DEVELOPMENT) return;
  provideCheck(state.flow.ecs, {
    name: state.name,
    *check() {
      yield* wrongMembers(state);
      yield* staleValues(state.flow, code);
    },
  });
}

/** That exactly those have a record that have the component, and that its numbers are finite. */
function* wrongMembers(state: SpaceState): IterableIterator<Finding> {
  const { tree, flow, flags, geometry, local, localWidth } = state;
  const { world } = tree;
  flow.order.sync();
  flow.claim(flow.order.tail);
  for (const entity of world.entities()) {
    const slot = flow.order.slotOf[entity & INDEX_MASK];
    const has = world.has(entity, state.component);
    if (flags.isHeld(slot) !== has) {
      const which = has ? "has the component and no record" : "has a record and not the component";
      yield { code, entity, message: `${tree.label(entity)} ${which}` };
    }
    for (let k = 0; has && k < geometry.fields.length; k++) {
      if (Number.isFinite(local[slot * localWidth + k])) continue;
      yield { code, entity, message: `${geometry.fields[k]} of ${tree.label(entity)} is not finite` };
    }
  }
}
