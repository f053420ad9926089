/**
 * An instance of a prefab as nodes: the prefab's own, with what the instance says merged in.
 */
import { describeValue } from "../../ecs/internal.ts";
import { overrideKeys } from "../file.ts";
import { isJsonObject, type Json, type JsonObject, type JsonStep } from "../json/json.ts";
import { ownOf, setOwn } from "../json/parse.ts";
import { isReplacement, mergeJson } from "../json/values.ts";
import type { Decoder } from "./decode.ts";
import { suggest } from "./nearest.ts";
import { type LateValue, SceneNode, type Template } from "./node.ts";
import type { Report } from "./report.ts";

/** What expanding needs from whoever reads the file. */
export interface ExpandHost {
  readonly nodes: SceneNode[];
  readonly report: Report;
  readonly decoder: Decoder;
  nest(list: readonly Json[], container: SceneNode, parent: SceneNode, via: string | undefined): void;
  remember(node: SceneNode, index: number): void;
  name(node: SceneNode, value: Json): string | undefined;
  list(node: SceneNode, key: string, value: Json): readonly Json[] | undefined;
  shape(node: SceneNode, steps: readonly JsonStep[], message: string): void;
  unknownKey(
    node: SceneNode,
    steps: readonly JsonStep[],
    key: string,
    value: Json,
    known: readonly string[],
  ): void;
}

interface InstanceEntry {
  readonly template: Template;
  readonly reference: string;
  readonly overrides: JsonObject;
}

/** Turns `root`, the node of an instance's own entry, and what the prefab puts below it into nodes. */
export function expandInstance(host: ExpandHost, root: SceneNode, index: number, entry: InstanceEntry): void {
  const { template, reference } = entry;
  const members = new Int32Array(template.nodes.length).fill(-1);
  members[0] = index;
  root.instance = { template, reference, members };
  const overrides = findTargets(host, root, entry);
  const scope = (id: string) => (id === template.nodes[0].id ? root.id : `${root.id}/${id}`);

  const own = root.components;
  if (root.name === undefined) root.name = template.nodes[0].name;
  inherit(host, root, template.nodes[0], own, scope);

  const removed = new Uint8Array(template.nodes.length);
  for (let k = 1; k < template.nodes.length; k++) {
    const from = template.nodes[k];
    const override = overrides.get(k);
    const moves = isJsonObject(override?.json) && override.json.parent !== undefined;
    if (override?.json === null || (removed[from.parent] === 1 && !moves)) {
      removed[k] = 1;
      continue;
    }
    const node = new SceneNode(root.source, root, override?.key, -1);
    members[k] = host.nodes.push(node) - 1;
    node.belongTo(root, k);
    node.name = from.name;
    node.parent = members[from.parent];
    if (override === undefined) inherit(host, node, from, undefined, scope);
    else applyOverride(host, node, from, override.json as JsonObject, scope, members[k]);
  }
}

interface Override {
  readonly key: string;
  readonly json: JsonObject | null;
}

/** The overrides by the index of the entity they are about. */
function findTargets(
  host: ExpandHost,
  root: SceneNode,
  { template, overrides }: InstanceEntry,
): Map<number, Override> {
  const found = new Map<number, Override>();
  for (const key in overrides) {
    const json = overrides[key];
    const target = findMember(template, key);
    if (target === undefined) {
      const ids = [...template.byId.keys()].slice(1);
      host.report.add(
        "scene/unknown-override",
        root.keyPlace("overrides", key),
        `${root.label} overrides ${JSON.stringify(key)}, which ${template.file} does not contain. ${suggest(key, ids, "entities to override")}`,
      );
    } else if (target === 0) {
      host.shape(
        root,
        ["overrides", key],
        "this is the root of the prefab. Write its components beside overrides.",
      );
    } else if (found.has(target)) {
      host.shape(
        root,
        ["overrides", key],
        `it is overridden twice, also as ${JSON.stringify(found.get(target)?.key)}.`,
      );
    } else if (json !== null && !isJsonObject(json)) {
      host.shape(
        root,
        ["overrides", key],
        `an override is an object, or null to remove, got ${describeValue(json)}.`,
      );
    } else {
      found.set(target, { key, json });
    }
  }
  return found;
}

/** The index of the entity that an id, or a path of names or ids below the root, leads to. */
export function findMember(template: Template, key: string): number | undefined {
  const byId = template.byId.get(key);
  if (byId !== undefined) return byId;
  let at = 0;
  for (const segment of key.split("/")) {
    const next = template.nodes.findIndex(
      (node, k) => k > 0 && node.parent === at && (node.name === segment || node.id === segment),
    );
    if (next < 0) return undefined;
    at = next;
  }
  return at;
}

function applyOverride(
  host: ExpandHost,
  node: SceneNode,
  from: SceneNode,
  json: JsonObject,
  scope: (id: string) => string,
  index: number,
): void {
  let components: JsonObject | undefined;
  for (const key in json) {
    const value = json[key];
    if (key === "name") {
      node.name = value === null ? null : host.name(node, value);
    } else if (key === "parent") {
      if (typeof value === "string") node.parentId = value;
      else if (value === null) node.parent = -1;
      else host.shape(node, [key], `parent takes the id of an entity or null, got ${describeValue(value)}.`);
    } else if (key === "components") {
      if (isJsonObject(value)) components = value;
      else
        host.shape(
          node,
          [key],
          `components takes an object of components by name, got ${describeValue(value)}.`,
        );
    } else if (key === "order") {
      node.order = host.list(node, key, value);
    } else if (key === "children") {
      const list = host.list(node, key, value);
      if (list === undefined) continue;
      host.remember(node, index);
      host.nest(list, node.container as SceneNode, node, node.via);
    } else {
      host.unknownKey(node, [], key, value, overrideKeys);
    }
  }
  inherit(host, node, from, components, scope);
}

/** Gives a node the components of the prefab's, with `over` merged in. */
function inherit(
  host: ExpandHost,
  node: SceneNode,
  from: SceneNode,
  over: JsonObject | undefined,
  scope: (id: string) => string,
): void {
  const scoped = (late: LateValue): LateValue => {
    const inner = late.scope;
    return { ...late, scope: inner === undefined ? scope : (id) => scope(inner(id)) };
  };
  if (from.kept !== undefined) node.kept = { ...from.kept, ...node.kept };
  if (over === undefined || Object.keys(over).length === 0) {
    node.components = from.components;
    node.inits = from.inits;
    node.fresh = from.fresh;
    node.late = from.late?.map(scoped);
    return;
  }
  const components: { [name: string]: Json } = {};
  node.components = components;
  node.inits = [];
  for (const name in from.components) {
    if (!Object.hasOwn(over, name)) setOwn(components, name, from.components[name]);
  }
  from.inits.forEach((init, at) => {
    const { name } = init.component;
    if (Object.hasOwn(over, name)) return;
    const index = node.inits.push(init) - 1;
    for (const fresh of from.fresh ?? []) {
      if (fresh.at === at) node.fresh = [...(node.fresh ?? []), { ...fresh, at: index }];
    }
    for (const late of from.late ?? []) if (late.codec.name === name) node.addLate(scoped(late));
  });
  for (const name in over) mergeComponent(host, node, from, name, over[name], scoped);
}

function mergeComponent(
  host: ExpandHost,
  node: SceneNode,
  from: SceneNode,
  name: string,
  json: Json,
  scoped: (late: LateValue) => LateValue,
): void {
  const base = Object.hasOwn(from.components, name) ? from.components[name] : undefined;
  if (json === null) {
    if (base !== undefined || ownOf(from.kept?.components, name) !== undefined) {
      if (node.kept?.components !== undefined) {
        const { [name]: _removed, ...components } = node.kept.components;
        node.kept = { ...node.kept, components };
      }
      return;
    }
    host.report.add(
      "scene/unknown-override",
      node.keyPlace("components", name),
      `${node.label} removes ${JSON.stringify(name)}, which the prefab does not have. ${suggest(name, Object.keys(from.components), "components there")}`,
    );
    return;
  }
  const merged = mergeJson(base, json);
  setOwn(node.components as { [name: string]: Json }, name, merged);
  const before = node.late?.length ?? 0;
  if (!host.decoder.component(node, name, merged, true) || node.late === undefined) return;
  // Ids in fields that the instance did not touch are ids of the prefab's file.
  const touched = isReplacement(json) ? merged : json;
  for (let k = before; k < node.late.length; k++) {
    const { field } = node.late[k];
    if (isJsonObject(touched) && Object.hasOwn(touched, field.name)) continue;
    const original = from.late?.find((late) => late.codec.name === name && late.field === field);
    if (original !== undefined) node.late[k] = scoped(original);
  }
}
