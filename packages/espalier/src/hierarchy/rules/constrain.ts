/**
 * Adding the rules of users to a hierarchy.
 */
import { type Entity, guard } from "../../ecs/index.ts";
import { entityAt, entityOrNull, labelOf } from "../nodes.ts";
import { hasNoRules, type TreeState } from "../state.ts";
import { type Constraint, requireConstraint } from "./constraints.ts";
import { constraintError } from "./refuse.ts";

/** Adds a rule, and gives a function that ends it. */
export function constrain(t: TreeState, constraint: Constraint): () => void {
  requireConstraint(constraint);
  t.constraints = [...t.constraints, constraint];
  t.isPlain = false;
  const label = (entity: Entity) => labelOf(t, entity);
  const ends = (constraint.components ?? []).map((component) =>
    guard(t.world, component, (index) => {
      const entity = index === 0 ? null : entityAt(t, index);
      const parent = entityOrNull(t, index === t.guardedNode ? t.guardedParent : t.links.parent(index));
      const why = constraint.add?.(entity, component, parent, label);
      if (why === undefined) return;
      if (entity !== null) {
        const doing = `add ${component.name} to ${labelOf(t, entity)}`;
        throw constraintError(t, constraint, doing, why, [entity]);
      }
      const under = parent === null ? "as a root" : `under ${labelOf(t, parent)}`;
      const doing = `create an entity with ${component.name} ${under}`;
      throw constraintError(t, constraint, doing, why, parent === null ? [] : [parent]);
    }),
  );
  return () => {
    t.constraints = t.constraints.filter((other) => other !== constraint);
    t.isPlain = hasNoRules(t);
    for (const end of ends) end();
  };
}
