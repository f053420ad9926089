/**
 * Updates the name and the components of a living entity from a node of a draft.
 */
import type { Component, Entity, Schema } from "../../ecs/index.ts";
import { defaultOf } from "../../ecs/internal.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";
import { ownOf, setOwn } from "../../history/internal.ts";
import { type LateContext, setFields, setLate } from "../build.ts";
import type { ComponentCodec } from "../codec.ts";
import { isJsonObject, type JsonObject } from "../json/json.ts";
import { equalJson } from "../json/values.ts";
import { initsOf } from "../read/decode.ts";
import type { LateValue, SceneNode } from "../read/node.ts";
import type { ComponentWriter } from "../write/component-writer.ts";
import { fieldsDiff } from "../write/instance-diff.ts";

export interface UpdateHost {
  readonly tree: Hierarchy;
  readonly writer: ComponentWriter;
  /** Resolves ids in the draft. */
  readonly context: LateContext;
  /** Whether ids in a value refer to the same entities as those in a value of the former draft. */
  refersAlike(late: LateValue, before: LateValue): boolean;
}

/**
 * Makes entities equal to their nodes, and returns whether anything changed. With `was`, the former node, only differences between
 * the two nodes are applied.
 */
export function updater({
  tree,
  writer,
  context,
  refersAlike,
}: UpdateHost): (entity: Entity, node: SceneNode, was: SceneNode | undefined) => boolean {
  const { world } = tree;

  const addComponent = (entity: Entity, node: SceneNode, at: number) => {
    const init = initsOf(node)[at];
    world.add(entity, init);
    for (const late of node.rare.late) {
      if (late.codec.component === init.component) setLate(tree, entity, late, context);
    }
  };

  /** Sets fields to the values of the draft. */
  const setTo = (entity: Entity, node: SceneNode, codec: ComponentCodec, fields: readonly string[]) => {
    const given = (initsOf(node)[indexIn(node, codec)].values ?? {}) as { readonly [field: string]: unknown };
    const values: { [field: string]: unknown } = {};
    for (const field of fields) {
      const late = node.rare.late.find((value) => value.codec === codec && value.field.name === field);
      if (late !== undefined) {
        setLate(tree, entity, late, context);
        continue;
      }
      const own = ownOf(given, field);
      setOwn(values, field, own === undefined ? defaultOf(codec.component.schema[field]) : own);
    }
    if (Object.keys(values).length > 0) setFields(tree, entity, codec.component as Component<Schema>, values);
  };

  const updateToDraft = (entity: Entity, node: SceneNode) => {
    const idOf = (other: Entity | null) => (other === null ? null : `\0${other}`);
    const input = { writer, context: { ...context, idOf }, onError: () => {} };
    const codecs = writer.codecsOf(entity);
    let isChanged = false;
    for (const codec of codecs) {
      const at = indexIn(node, codec);
      if (at < 0) world.remove(entity, codec.component);
      else {
        const values = writer.valuesOf(entity, codec);
        const fields = Object.keys(fieldsDiff(input, node, codec, values, at, input.context));
        if (fields.length === 0) continue;
        setTo(entity, node, codec, fields);
      }
      isChanged = true;
    }
    for (const [at, { component }] of node.inits.entries()) {
      if (codecs.some((codec) => codec.component === component)) continue;
      addComponent(entity, node, at);
      isChanged = true;
    }
    return isChanged;
  };

  const updateByDifference = (entity: Entity, node: SceneNode, was: SceneNode) => {
    let isChanged = false;
    for (const name of new Set([...Object.keys(was.components), ...Object.keys(node.components)])) {
      const codec = writer.registry.codecs.get(name);
      const json = ownOf(node.components, name);
      const jsonBefore = ownOf(was.components, name);
      if (codec === undefined) continue;
      // The same text may be the id of another entity, in another file.
      const elsewhere = node.rare.late.filter((late) => {
        const before = was.rare.late.find((other) => other.codec === codec && other.field === late.field);
        return late.codec === codec && before !== undefined && !refersAlike(late, before);
      });
      if (elsewhere.length === 0 && equalJson(json, jsonBefore)) continue;
      const at = indexIn(node, codec);
      if (at < 0) {
        if (!world.remove(entity, codec.component)) continue;
      } else if (!world.has(entity, codec.component)) {
        addComponent(entity, node, at);
      } else {
        const fields = elsewhere.map(({ field }) => field.name);
        setTo(entity, node, codec, [...fields, ...differingFields(codec, jsonBefore, json)]);
      }
      isChanged = true;
    }
    return isChanged;
  };

  return (entity, node, was) => {
    const name = node.name ?? undefined;
    const isRenamed = name !== tree.nameOf(entity) && (was === undefined || name !== (was.name ?? undefined));
    if (isRenamed) tree.setName(entity, name);
    const isChanged = was === undefined ? updateToDraft(entity, node) : updateByDifference(entity, node, was);
    return isRenamed || isChanged;
  };
}

function indexIn({ inits }: SceneNode, { component }: ComponentCodec): number {
  return inits.findIndex((init) => init.component === component);
}

/** Fields that differ between two forms of a component; a missing one has its default in both. */
function differingFields(codec: ComponentCodec, a: unknown, b: unknown): string[] {
  const left: JsonObject = isJsonObject(a) ? a : {};
  const right: JsonObject = isJsonObject(b) ? b : {};
  return [...codec.fields.keys()].filter((field) => !equalJson(ownOf(left, field), ownOf(right, field)));
}
