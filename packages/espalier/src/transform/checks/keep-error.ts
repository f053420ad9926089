import type { EntityLike } from "../../ecs/index.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";
import { SingularTransformError, UnrepresentableTransformError } from "../errors.ts";

/** The error of a way back from the world, with the entities it is about; other errors as they are. */
export function keepError(
  error: unknown,
  tree: Hierarchy,
  entity: EntityLike,
  parent: EntityLike | null,
): unknown {
  const entities = parent === null ? [entity] : [entity, parent];
  const message = () => {
    const under = parent === null ? "" : ` under ${tree.label(parent)}`;
    const why = error instanceof Error ? error.message.replace(/ \[[^\]]*\]$/, "") : "";
    return `Cannot place ${tree.label(entity)}${under}: ${why}`;
  };
  if (error instanceof SingularTransformError) return new SingularTransformError(message(), { entities });
  if (error instanceof UnrepresentableTransformError)
    return new UnrepresentableTransformError(message(), { entities, residue: error.residue });
  return error;
}
