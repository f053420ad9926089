/**
 * Naming entities.
 */
import type { Entity } from "../../ecs/index.ts";
import { describeValue } from "../../ecs/internal.ts";
import { rename } from "../edit/place.ts";
import { InvalidPathError } from "../errors.ts";
import { labelOf, nodeOf } from "../nodes.ts";
import { nameTaken } from "../rules/refuse.ts";
import type { TreeState } from "../state.ts";

/** Names an entity; `undefined` takes the name away. */
export function setName(t: TreeState, entity: Entity, name: string | undefined): void {
  const node = nodeOf(t, entity, "name");
  if (name !== undefined) {
    if (typeof name !== "string" || name === "" || name === "." || name === "..") {
      throw new InvalidPathError(
        `Cannot name ${labelOf(t, entity)} ${describeValue(name)}. Use a string that is not empty and neither "." nor "..".`,
        { entities: [entity], value: name },
      );
    }
    const error = nameTaken(t, node, t.links.parent(node), name);
    if (error !== undefined) throw error;
  }
  rename(t, node, name);
}
