/** Finds problems of a scene, and things worth checking. */
import { describeValue } from "../../ecs/index.ts";
import { type Json, keptOf } from "../../scene/index.ts";
import { membersOf, shownPath } from "../targets.ts";
import type { Verb } from "../verb.ts";

export const validate: Verb<Record<never, never>> = {
  name: "validate",
  aliases: [],
  summary: "find everything that is wrong with the scene",
  isReadOnly: true,
  parameters: {},
  required: [],
  operands: [],
  run({ document, format, tree, scene, warn }) {
    const problems = format.check(document.scene.toFile(), document.state.reading);
    const names = new Map<string, number>();
    for (const entity of membersOf(scene)) {
      const parent = tree.parentOf(entity);
      const name = tree.nameOf(entity);
      const id = scene.idOf(entity) ?? "";
      if (name !== undefined) {
        const key = `${parent ?? ""}/${name}`;
        const count = (names.get(key) ?? 0) + 1;
        names.set(key, count);
        if (count === 2) {
          warn({
            code: "same-name",
            message: `${shownPath(scene, entity)} has the name of a sibling, so a path of names leads to the first of them only.`,
            entity: id,
          });
        }
      }
      const kept = keptOf(tree, entity);
      for (const component of Object.keys(kept.components)) {
        warn({
          code: "unknown-component",
          message: `${shownPath(scene, entity)} has the component ${describeValue(component)}, which the format does not know; it is kept as it is.`,
          entity: id,
        });
      }
    }
    return { problems: problems.map((problem) => ({ ...problem }) as unknown as Json) };
  },
};
