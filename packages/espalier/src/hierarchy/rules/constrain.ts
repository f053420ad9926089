/**
 * Adding the rules of users to a hierarchy.
 */
import { ConstraintError } from "../errors.ts";
import { entityAt, entityOrNull, labelOf } from "../nodes.ts";
import { hasNoRules, type TreeState } from "../state.ts";
import type { Constraint } from "./constraints.ts";
import { constraintError } from "./refuse.ts";

/** Adds a rule, and gives a function that ends it. */
export function constrain(t: TreeState, constraint: Constraint): () => void {
  t.constraints = [...t.constraints, constraint];
  t.isPlain = false;
  const ends = (constraint.components ?? []).map((component) =>
    t.world.guard(component, (index) => {
      const entity = index === 0 ? null : entityAt(t, index);
      const parent = entityOrNull(t, index === 0 ? t.guardedParent : t.links.parent(index));
      const why = constraint.add?.(entity, component, parent);
      if (why === undefined) return;
      if (entity !== null) throw constraintError(t, constraint, `add ${component.name} to`, entity, why);
      const under = parent === null ? "as a root" : `under ${labelOf(t, parent)}`;
      throw new ConstraintError(
        constraint.name,
        `Cannot create an entity with ${component.name} ${under}: ${why} (constraint ${constraint.name} of ${t.name}).`,
        parent === null ? [] : [parent],
      );
    }),
  );
  return () => {
    t.constraints = t.constraints.filter((other) => other !== constraint);
    t.isPlain = hasNoRules(t);
    for (const end of ends) end();
  };
}
