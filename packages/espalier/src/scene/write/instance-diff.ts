/**
 * The differences of an instance from its prefab, as the entry in a file.
 */
import type { Entity } from "../../ecs/index.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";
import { ownOf, setOwn } from "../../history/internal.ts";
import { entityOf, type LateContext } from "../build.ts";
import { type ComponentCodec, type FieldInfo, keptValue, type WriteContext, writeField } from "../codec.ts";
import type { Json, JsonObject } from "../json/json.ts";
import { asMerged, diffJson, equalJson } from "../json/values.ts";
import type { LateValue, SceneNode } from "../read/node.ts";
import { type InstanceRecord, noMember, tablesOf } from "../tables.ts";
import type { ComponentWriter } from "./component-writer.ts";

export interface InstanceDiffInput {
  readonly tree: Hierarchy;
  readonly writer: ComponentWriter;
  readonly record: InstanceRecord;
  /** Whether an entity of the prefab is still part of the instance. */
  isThere(member: Entity): boolean;
  /** Ids as the file writes them. */
  readonly context: WriteContext;
  /** The id of an entity that is saved; `null` for any other, without a problem. */
  idInFile(entity: Entity | null): string | null;
  /** Called before each component, for messages. */
  begin(entity: Entity, codec: ComponentCodec | undefined): void;
  onError(error: unknown): void;
}

type Components = { [name: string]: Json };

/** Ids for comparison, and the resolution of those of the prefab. */
export interface LocalContext extends WriteContext, LateContext {}

/** The entry of an instance without its id, parent and prefab. */
export interface InstancePatch {
  readonly name: string | null | undefined;
  readonly components: { readonly [name: string]: { readonly [field: string]: Json } | null };
  readonly overrides: { readonly [id: string]: MemberPatch | null };
}

export interface MemberPatch {
  readonly name?: string | null;
  readonly parent?: string | null;
  readonly components?: { readonly [name: string]: { readonly [field: string]: Json } | null };
}

export function diffInstance(input: InstanceDiffInput): InstancePatch {
  const { record, tree } = input;
  const { nodes } = record.template;
  let localIds: Map<Entity, string> | undefined;
  const localId = (entity: Entity) => {
    // Most prefabs have no references inside.
    localIds ??= new Map(record.members.map((member, k) => [member, nodes[k].id]));
    return localIds.get(entity) ?? `\0${entity}`;
  };
  // Ids of the prefab's own file for its entities; all others are marked so that they equal none of these.
  const local: LocalContext = {
    idOf: (entity) => (entity === null ? null : localId(entity)),
    entity: (id) => record.members[record.template.byId.find(id) ?? -1],
    at: (index) => record.members[index],
  };
  const overrides: { [id: string]: MemberPatch | null } = {};
  const removed = new Uint8Array(nodes.length);
  for (let k = 1; k < nodes.length; k++) {
    const member = record.members[k];
    if (!input.isThere(member)) {
      removed[k] = 1;
      if (removed[nodes[k].parent] === 0) setOwn(overrides, nodes[k].id, null);
      continue;
    }
    const patch: { [key: string]: unknown } = {};
    const name = nameDiff(tree, nodes[k], member);
    if (name !== undefined) patch.name = name;
    const parent = tree.parentOf(member);
    if (parent !== record.members[nodes[k].parent]) patch.parent = input.idInFile(parent);
    const components = componentsDiff(input, nodes[k], member, local);
    if (Object.keys(components).length > 0) patch.components = components;
    if (Object.keys(patch).length > 0) setOwn(overrides, nodes[k].id, patch);
  }
  return {
    name: nameDiff(tree, nodes[0], record.root),
    components: componentsDiff(input, nodes[0], record.root, local) as InstancePatch["components"],
    overrides,
  };
}

function nameDiff(tree: Hierarchy, node: SceneNode, entity: Entity): string | null | undefined {
  const name = tree.nameOf(entity);
  return name === (node.name ?? undefined) ? undefined : (name ?? null);
}

function componentsDiff(
  input: InstanceDiffInput,
  node: SceneNode,
  entity: Entity,
  local: LocalContext,
): Components {
  const { writer, tree } = input;
  const result: Components = {};
  const codecs = writer.codecsOf(entity);
  input.begin(entity, undefined);
  for (const codec of codecs) {
    input.begin(entity, codec);
    const values = writer.valuesOf(entity, codec);
    const at = node.inits.findIndex((init) => init.component === codec.component);
    if (at < 0) {
      const fields = writer.write(values, codec, input.context, false, input.onError);
      setOwn(result, codec.name, asMerged(fields));
      continue;
    }
    const valid =
      codec.validate === undefined
        ? undefined
        : writer.validated(values, codec, input.context, input.onError);
    const fields = fieldsDiff(input, node, codec, values, at, local, valid);
    if (Object.keys(fields).length > 0) setOwn(result, codec.name, fields);
  }
  for (const { component } of node.inits) {
    if (!codecs.some((codec) => codec.component === component)) setOwn(result, component.name, null);
  }
  const kept = tablesOf(tree).kept.get(entity)?.components ?? {};
  const keptThere = node.rare.kept?.components ?? {};
  for (const name of Object.keys(kept)) {
    const there = ownOf(keptThere, name);
    const changed = diffJson(there, kept[name]);
    if (changed !== undefined) setMissing(result, name, there === undefined ? asMerged(kept[name]) : changed);
  }
  for (const name of Object.keys(keptThere)) if (!Object.hasOwn(kept, name)) setMissing(result, name, null);
  return result;
}

function setMissing(result: Components, name: string, json: Json): void {
  if (!Object.hasOwn(result, name)) setOwn(result, name, json);
}

/**
 * The fields of a living entity's component that differ from the node.
 *
 * @param valid - The validator's result for the component, if it has a validator.
 */
export function fieldsDiff(
  input: Pick<InstanceDiffInput, "writer" | "context" | "onError">,
  node: SceneNode,
  codec: ComponentCodec,
  values: { readonly [field: string]: unknown },
  at: number,
  local: LocalContext,
  valid?: JsonObject,
): { [field: string]: Json } {
  const { writer } = input;
  const result: { [field: string]: Json } = {};
  const scalars = valid === undefined ? writer.scalarsOf(node, at, codec) : undefined;
  for (const info of codec.fields.values()) {
    const scalar = scalars?.get(info);
    if (scalar !== undefined && Object.is(scalar, values[info.name])) continue;
    writer.field = info;
    try {
      const base = templateJson(writer, node, at, codec, info, local);
      const value = values[info.name];
      const refers = info.type.valueKind === "entity" || info.codec?.references === true;
      const json =
        valid === undefined || refers
          ? writeField(info, value, local)
          : (ownOf(valid, info.name) ?? writer.defaultOf(info));
      if (equalJson(base, json)) continue;
      const written = refers ? writeField(info, value, input.context) : json;
      const changed = diffJson(refers ? undefined : base, written);
      if (changed !== undefined) setOwn(result, info.name, changed);
    } catch (error) {
      input.onError(error);
    }
  }
  writer.field = undefined;
  return result;
}

/** A field of the prefab's entity in the form in which it would be written. */
function templateJson(
  writer: ComponentWriter,
  node: SceneNode,
  at: number,
  codec: ComponentCodec,
  info: FieldInfo,
  local: LocalContext,
): Json {
  const late = node.rare.late.find((value) => value.codec === codec && value.field === info);
  if (late !== undefined) return lateJson(late, local);
  const values = node.inits[at].values as { readonly [field: string]: unknown } | undefined;
  const value = ownOf(values, info.name);
  if (value === undefined) return writer.defaultOf(info);
  return writeField(info, keptValue(info, value), { idOf: () => null });
}

/** A value with ids of the prefab, translated to the ids for comparison. A reference to a dead entity equals no other. */
function lateJson(late: LateValue, local: LocalContext): Json {
  const { field, json } = late;
  if (json === null || (field.codec === undefined && typeof json !== "string")) return json;
  const find = (id: string): Entity => {
    const entity = entityOf(late, id, local);
    if (entity === undefined || entity === noMember) throw new Error("it leads to an entity that is gone.");
    return entity;
  };
  try {
    if (field.codec === undefined) return local.idOf(find(json as string)) as Json;
    return writeField(field, field.codec.read(json, { entity: find }), local);
  } catch {
    return json;
  }
}
