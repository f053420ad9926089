/** Deletes entities. */
import { topmost } from "../../hierarchy/index.ts";
import { referencesTo } from "../../scene/index.ts";
import { shownPath } from "../targets.ts";
import type { Verb } from "../verb.ts";

/** The parameters of `delete`. */
export interface DeleteParameters {
  /** The entities. */
  readonly entities: readonly string[];
  /** What happens to their children. */
  readonly children?: "cascade" | "adopt";
}

export const deleteEntities: Verb<DeleteParameters> = {
  name: "delete",
  aliases: ["rm"],
  summary: "delete entities, with everything below them",
  isReadOnly: false,
  parameters: {
    entities: {
      type: "array",
      items: { type: "string" },
      minItems: 1,
      description: "The entities: ids or paths.",
    },
    children: {
      type: "string",
      enum: ["cascade", "adopt"],
      description:
        "What happens to children: cascade deletes them too (default), adopt gives them to the grandparent.",
    },
  },
  required: ["entities"],
  operands: ["entities"],
  run({ find, tree, world, scene, warn }, { entities, children = "cascade" }) {
    const given = [...new Set(entities.map(find))];
    const tops = children === "cascade" ? topmost(tree, given) : given;
    const doomed = new Set(
      children === "cascade"
        ? tops.flatMap((top) => [...tree.descendants(top, { includeSelf: true })])
        : tops,
    );
    const deleted = Array.from(doomed, (entity) => scene.idOf(entity) ?? "");
    for (const entity of doomed) {
      for (const { entity: other, component, field } of referencesTo(world, entity)) {
        if (doomed.has(other)) continue;
        warn({
          code: "lost-reference",
          message: `${component.name}.${field} of ${shownPath(scene, other)} referred to ${shownPath(scene, entity)} and refers to nothing now.`,
          ...(scene.idOf(other) === undefined ? {} : { entity: scene.idOf(other) as string }),
        });
      }
    }
    for (const top of tops) if (world.isAlive(top)) tree.destroy(top, { children });
    return { deleted };
  },
};
