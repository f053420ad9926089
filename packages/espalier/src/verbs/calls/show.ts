/** Shows the tree of a scene, or everything about one entity. */
import type { Entity } from "../../ecs/index.ts";
import { instanceOf, type Json, referencesTo } from "../../scene/index.ts";
import { shownPath } from "../targets.ts";
import type { Verb, VerbContext } from "../verb.ts";
import { valuesOf, worldValuesOf } from "./entity-values.ts";

/** The parameters of `show`. */
export interface ShowParameters {
  /** The entity; the tree of the scene if left out. */
  readonly entity?: string;
  /** How many levels of the tree are shown. */
  readonly depth?: number;
}

/** The maximum number of entities of a tree. */
const mostEntities = 5000;

export const show: Verb<ShowParameters> = {
  name: "show",
  aliases: [],
  summary: "show the tree, or an entity with computed values and what refers to it",
  isReadOnly: true,
  parameters: {
    entity: { type: "string", description: "The entity; the tree of the whole scene if left out." },
    depth: { type: "integer", minimum: 0, description: "How many levels below are shown; all if left out." },
  },
  required: [],
  operands: ["entity"],
  run(context, { entity, depth }) {
    const { scene, tree } = context;
    if (entity === undefined) return treeOf(context, scene.roots(), depth);
    const found = context.find(entity);
    const parent = tree.parentOf(found);
    const instance = instanceOf(tree, found);
    const world = worldValuesOf(context.document, found);
    return {
      id: scene.idOf(found) ?? null,
      name: tree.nameOf(found) ?? null,
      path: shownPath(scene, found),
      parent: parent === null ? null : (scene.idOf(parent) ?? null),
      children: tree.childrenOf(found).map((child) => scene.idOf(child) ?? null),
      components: valuesOf(context.document, found),
      ...(world === undefined ? {} : { world }),
      ...(instance === undefined
        ? {}
        : {
            prefab: instance.prefab,
            instance: scene.idOf(instance.root) ?? null,
            overrides: instance
              .overrides()
              .filter((override) => instance.root === found || override.entity === found)
              .map(({ entity: _, ...override }) => override as Json),
          }),
      referredBy: referencesTo(tree.world, found).map(({ entity: other, component, field }) => ({
        id: scene.idOf(other) ?? null,
        component: component.name,
        field,
      })),
      ...(depth === undefined ? {} : { below: treeOf(context, tree.childrenOf(found), depth - 1) }),
    };
  },
};

/** Entities as a flat array with their depths, parents first, so that the result is not nested as deeply as the tree. */
function treeOf(
  { scene, tree, document }: VerbContext,
  tops: readonly Entity[],
  depth = Number.POSITIVE_INFINITY,
): Json {
  const rows: Json[] = [];
  let count = 0;
  for (const top of tops) {
    const base = tree.depthOf(top);
    for (const entity of tree.descendants(top, { includeSelf: true })) {
      const level = tree.depthOf(entity) - base;
      if (level > depth) continue;
      if (count++ >= mostEntities) continue;
      const prefab = instanceOf(tree, entity);
      rows.push({
        id: scene.idOf(entity) ?? null,
        name: tree.nameOf(entity) ?? null,
        depth: level,
        components: Object.keys(valuesOf(document, entity)),
        ...(prefab?.root === entity ? { prefab: prefab.prefab } : {}),
      });
    }
  }
  return { count, entities: rows };
}
