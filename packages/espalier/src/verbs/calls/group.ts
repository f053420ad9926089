/** Puts entities under a new parent where they are. */
import type { Entity } from "../../ecs/index.ts";
import { commonAncestor, topmost } from "../../hierarchy/index.ts";
import type { Verb, VerbContext } from "../verb.ts";
import { spaceOf } from "./reparent.ts";

/** The parameters of `group`. */
export interface GroupParameters {
  /** The entities. */
  readonly entities: readonly string[];
  /** The name of the group. */
  readonly name?: string;
  /** The id of the group; made from its name if left out. */
  readonly id?: string;
}

export const group: Verb<GroupParameters> = {
  name: "group",
  aliases: [],
  summary: "put entities under a new parent, where they are",
  isReadOnly: false,
  parameters: {
    entities: { type: "array", items: { type: "string" }, minItems: 1, description: "The entities." },
    name: { type: "string", description: 'The name of the group; "group" if left out.' },
    id: { type: "string", description: "The id of the group; made from its name if left out." },
  },
  required: ["entities"],
  operands: ["entities"],
  run(context, { entities, name = "group", id }) {
    const { tree, scene, find, world, document } = context;
    const { flat, solid } = document.state.spaces;
    const members = topmost(tree, entities.map(find));
    const first = members[0] as Entity;
    const parent = commonParent(context, members);
    const made = tree.attachNew(parent);
    if (tree.parentOf(first) === parent) tree.moveChild(made, { before: first });
    tree.setName(made, name);
    // In the space of its members, at the position of the first, so that the group can be moved from where they are.
    const space = spaceOf(context, first);
    if (space !== undefined && space === flat?.name) {
      world.add(made, flat.component);
      const { x, y } = flat.worldPosition(first);
      flat.setWorldPosition(made, x, y);
    } else if (space !== undefined && space === solid?.name) {
      world.add(made, solid.component);
      const { x, y, z } = solid.worldPosition(first);
      solid.setWorldPosition(made, x, y, z);
    }
    const own = scene.add(made, id);
    for (const member of members) {
      const keep = spaceOf(context, member);
      tree.attach(member, made, keep === undefined ? {} : { keep });
    }
    return { id: own };
  },
};

/** The nearest common ancestor; the parent of the scene if there is none. */
function commonParent({ tree, scene }: VerbContext, members: readonly Entity[]): Entity | null {
  let common = tree.parentOf(members[0] as Entity);
  for (const member of members.slice(1)) {
    const parent = tree.parentOf(member);
    if (common === null || parent === null) return scene.parent;
    common = commonAncestor(tree, common, parent);
  }
  return common;
}
