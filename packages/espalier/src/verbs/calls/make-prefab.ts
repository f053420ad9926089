/** Makes a prefab of an entity with everything below it, and replaces them by an instance of the prefab. */
import { describeValue } from "../../ecs/index.ts";
import { setOwn } from "../../history/internal.ts";
import { type EntityEntry, type Json, type JsonObject, printScene } from "../../scene/index.ts";
import { renameReferences } from "../../scene/internal.ts";
import { splitId } from "../changes/file-entities.ts";
import { VerbError } from "../errors.ts";
import { shownPath } from "../targets.ts";
import type { Verb, VerbContext } from "../verb.ts";

/** The parameters of `make-prefab`. */
export interface MakePrefabParameters {
  /** The root of the prefab. */
  readonly entity: string;
  /** The name of its file, as scenes refer to it. */
  readonly prefab: string;
}

export const makePrefab: Verb<MakePrefabParameters> = {
  name: "make-prefab",
  aliases: [],
  summary: "turn an entity into a prefab, and put an instance in its place",
  isReadOnly: false,
  parameters: {
    entity: { type: "string", description: "The root of the prefab." },
    prefab: {
      type: "string",
      description: "The name of its file, as the scene refers to it: tank.prefab.json.",
    },
  },
  required: ["entity", "prefab"],
  operands: ["entity", "prefab"],
  run(context, { entity, prefab }) {
    const { tree, scene, document } = context;
    const root = context.find(entity);
    const id = context.idOf(root);
    const refuse = (why: string) =>
      new VerbError(`Cannot run make-prefab: ${why}`, "verbs/invalid-parameters", { verb: "make-prefab" });
    if (id.includes("/")) {
      throw refuse(
        `${shownPath(scene, root)} is inside an instance. Unpack that first, or make a prefab of its root.`,
      );
    }
    if (prefabExists(context, prefab))
      throw refuse(`${describeValue(prefab)} already exists. Choose another name.`);
    const file = context.file();
    const inside = new Set<string>();
    for (const below of tree.descendants(root, { includeSelf: true })) inside.add(context.idOf(below));
    const isInside = (entry: EntityEntry) => inside.has(entry.id ?? "");
    const { parent, ...top } = file.entities.find((entry) => entry.id === id) as EntityEntry;
    const parts = file.entities.filter((entry) => isInside(entry) && entry.id !== id);
    const version = file.version === undefined ? {} : { version: file.version };
    const text = printScene({ ...version, entities: [top, ...parts] });
    const target = document.state.prefabFile(prefab);
    context.writePrefab(target, text, null);
    const instance: EntityEntry = { id, ...(parent === undefined ? {} : { parent }), prefab };
    const rest = file.entities
      .filter((entry) => entry.id === id || !isInside(entry))
      .map((entry) => (entry.id === id ? instance : withInside(context, entry, id, inside)));
    context.reload({ ...file, entities: rest });
    return { prefab: target, entities: parts.length + 1 };
  },
};

function prefabExists({ document }: VerbContext, name: string): boolean {
  const { prefabs, file } = document.state.reading;
  try {
    return (prefabs as (name: string, from: string | undefined) => unknown)(name, file) !== undefined;
  } catch {
    return false;
  }
}

/** An entry outside the prefab, with its references to the parts redirected into the instance. */
function withInside(
  { format }: VerbContext,
  entry: EntityEntry,
  instance: string,
  inside: ReadonlySet<string>,
): EntityEntry {
  const rename = (id: string) => (inside.has(id) && splitId(id)[0] !== instance ? `${instance}/${id}` : id);
  const renamed = <Part extends Pick<EntityEntry, "components">>(part: Part): Part => {
    if (part.components === undefined) return part;
    const components: { [component: string]: JsonObject | null } = {};
    for (const [component, values] of Object.entries(part.components)) {
      const next: { [field: string]: Json } = {};
      for (const [field, value] of Object.entries(values ?? {})) {
        setOwn(next, field, renameReferences(format.registry, component, field, value, rename));
      }
      setOwn(components, component, values === null ? null : next);
    }
    return { ...part, components };
  };
  if (entry.overrides === undefined) return renamed(entry);
  const overrides: { [part: string]: unknown } = {};
  for (const [part, values] of Object.entries(entry.overrides)) {
    setOwn(overrides, part, values === null ? null : renamed(values));
  }
  return { ...renamed(entry), overrides } as EntityEntry;
}
