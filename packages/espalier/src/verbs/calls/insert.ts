/** Puts the entities of another scene into this one. */
import type { SceneFile } from "../../scene/index.ts";
import type { Verb } from "../verb.ts";

/** The parameters of `insert`. */
export interface InsertParameters {
  /** The other scene. */
  readonly scene: SceneFile | string;
  /** The parent of its roots; they stay roots if left out. */
  readonly parent?: string | null;
}

export const insert: Verb<InsertParameters> = {
  name: "insert",
  aliases: [],
  summary: "put the entities of another scene into this one",
  isReadOnly: false,
  parameters: {
    scene: {
      type: ["object", "string"],
      form: "scene",
      description:
        "The other scene: its text or value. On the command line and for agents, a scene, .tscn, .gltf or .glb file.",
    },
    parent: {
      type: ["string", "null"],
      description: "The parent of its roots; they stay roots if left out.",
    },
  },
  required: ["scene"],
  operands: ["scene"],
  run(context, { scene: other, parent = null }) {
    const { format, tree, scene, document } = context;
    const above = parent === null ? scene.parent : context.find(parent);
    const { lenient: _, ...reading } = document.state.reading;
    const loaded = format.load(tree, other, { ...reading, parent: above });
    const ids = new Map<number, string | undefined>();
    const members = [];
    for (const root of loaded.roots()) {
      for (const entity of tree.descendants(root, { includeSelf: true })) {
        members.push(entity);
        ids.set(entity, loaded.idOf(entity));
      }
    }
    const inserted: string[] = [];
    for (const entity of members) {
      const id = ids.get(entity);
      // Entities inside an instance get their ids from it.
      if (id?.includes("/")) continue;
      inserted.push(scene.add(entity, id === undefined || scene.find(id) !== undefined ? undefined : id));
    }
    context.giveIds();
    return { inserted };
  },
};
