/**
 * An instance of a prefab as nodes: those of the prefab, with the overrides of the instance merged in.
 */
import { describeValue } from "../../ecs/internal.ts";
import { ownOf, setOwn } from "../../history/internal.ts";
import { overrideKeys } from "../file.ts";
import { isJsonObject, type Json, type JsonObject, type JsonStep } from "../json/json.ts";
import { isReplacement, mergeJson } from "../json/values.ts";
import type { Decoder } from "./decode.ts";
import { type Level, Members, type Slots } from "./level.ts";
import { suggest } from "./nearest.ts";
import { type LateValue, SceneNode, type Template } from "./node.ts";
import type { Report } from "./report.ts";
import type { Siblings } from "./siblings.ts";

/** What expanding needs from the reader of the file. */
export interface ExpandHost {
  readonly nodes: (SceneNode | undefined)[];
  readonly slots: Slots;
  readonly siblings: Siblings;
  /** The file that is being read. */
  readonly level: Level;
  readonly report: Report;
  readonly decoder: Decoder;
  part(node: SceneNode, key: string, value: Json, known: readonly string[]): void;
  children(node: SceneNode, parent: number, json: Json, container: SceneNode, via: string | undefined): void;
  takes(node: SceneNode, key: string, what: string, value: Json): void;
  shape(node: SceneNode, steps: readonly JsonStep[], message: string): void;
}

export interface InstanceEntry {
  readonly template: Template;
  readonly reference: string;
  readonly overrides: JsonObject;
}

/** Creates the nodes of an instance as copies of the prefab's: `root`, the node of its own entry, and the nodes below it. */
export function copyInstance(host: ExpandHost, root: SceneNode, index: number, entry: InstanceEntry): void {
  const { nodes, level } = host;
  const { template, reference } = entry;
  const from = template.nodes;
  const members = new Int32Array(from.length).fill(-1);
  members[0] = index;
  root.parts.instance = { template, reference, members };
  const inside = new Members(template, members, host.slots, root);
  const overrides = findTargets(host, root, entry, {
    root: 0,
    find: (key) => template.find(key),
    ids: () => template.byId.keys().filter((id) => id !== from[0].id),
  });
  const scoped = (late: LateValue): LateValue => ({ ...late, scope: inside.scopeOf(late.scope) });

  const own = root.components;
  if (root.name === undefined) root.name = from[0].name;
  inherit(host, root, from[0], own, scoped);

  const start = nodes.length;
  const isInside = level.owner !== undefined;
  const removed = new Uint8Array(from.length);
  for (let k = 1; k < from.length; k++) {
    const override = overrides.get(k);
    const moves = isMove(override);
    if (override?.json === null || (removed[from[k].parent] === 1 && !moves)) {
      removed[k] = 1;
      continue;
    }
    const node = new SceneNode(root.source, root, override?.key, -1);
    members[k] = nodes.push(node) - 1;
    node.belongTo(root, template, k);
    node.name = from[k].name;
    node.parent = members[from[k].parent];
    if (isInside && node.parent >= 0) host.siblings.add(node.parent, members[k]);
    if (override === undefined) inherit(host, node, from[k], undefined, scoped);
  }
  for (const [k, { json }] of overrides) {
    if (members[k] < 0 || json === null) continue;
    if (isInside) level.touched.push(members[k]);
    applyOverride(host, nodes[members[k]] as SceneNode, from[k], json, scoped, members[k]);
  }
  level.holes.push(start, nodes.length);
  level.inner.push({ node: root, inside: inside.steps });
}

/** Applies the overrides of an instance's own entry, `root`, to a prefab that was read in place after it. */
export function overrideInside(
  host: ExpandHost,
  root: SceneNode,
  inside: Level,
  end: number,
  entry: InstanceEntry,
): void {
  const { nodes, level, siblings } = host;
  const { template, reference } = entry;
  const { slot } = inside;
  const base = nodes[slot] as SceneNode;
  nodes[slot] = root;
  const overrides = findTargets(host, root, entry, {
    root: slot,
    find: (key) => inside.find(key) ?? findByNames(host, inside, key),
    ids: () => inside.keys(),
  });
  // The outermost file records the entities of its instances, in the order of the prefab.
  const isOutermost = level.owner === undefined;
  const members = isOutermost ? Int32Array.from(siblings.preorder(slot)) : new Int32Array(0);
  root.parts.instance = { template, reference, members };
  if (root.name === undefined) root.name = base.name;
  inherit(host, root, base, root.components, unchanged);

  level.holes.push(inside.start, end);
  level.inner.push({ node: root, inside });
  if (isOutermost && [...overrides.values()].some(isMove)) siblings.fixRanks(slot, inside.start);
  for (const [target, { json }] of overrides) if (json === null) removeBelow(host, target, overrides);
  for (const [target, { key, json }] of overrides) {
    const from = nodes[target];
    // An entity removed with its parent needs no override.
    if (from === undefined || json === null) continue;
    const node = new SceneNode(root.source, root, key, -1);
    node.standFor(from);
    nodes[target] = node;
    if (!isOutermost) level.touched.push(target);
    applyOverride(host, node, from, json, unchanged, target);
  }
}

const unchanged = (late: LateValue): LateValue => late;

function isMove(override: Override | undefined): boolean {
  return isJsonObject(override?.json) && override.json.parent !== undefined;
}

/** Removes an entity and everything below it that is not moved elsewhere. */
function removeBelow(
  { nodes, siblings }: ExpandHost,
  target: number,
  overrides: ReadonlyMap<number, Override>,
): void {
  const stack = [target];
  for (let slot = stack.pop(); slot !== undefined; slot = stack.pop()) {
    for (const child of siblings.of(slot)) if (!isMove(overrides.get(child))) stack.push(child);
    nodes[slot] = undefined;
  }
}

/** The slot that a path of names, or of ids of the prefab's own file, leads to below the root. */
function findByNames({ nodes, siblings }: ExpandHost, inside: Level, key: string): number | undefined {
  let at: number | undefined = inside.slot;
  for (const segment of key.split("/")) {
    at = siblings.of(at).find((slot) => {
      const node = nodes[slot] as SceneNode;
      return node.name === segment || (node.rare.home === inside && node.ownId === segment);
    });
    if (at === undefined) return undefined;
  }
  return at;
}

interface Override {
  readonly key: string;
  readonly json: JsonObject | null;
}

interface Targets {
  readonly root: number;
  find(key: string): number | undefined;
  /** For suggestions. */
  ids(): Iterable<string>;
}

/** The overrides by entity, looked up with `find`. */
function findTargets(
  host: ExpandHost,
  root: SceneNode,
  { template, overrides }: InstanceEntry,
  targets: Targets,
): Map<number, Override> {
  const found = new Map<number, Override>();
  for (const key in overrides) {
    const json = overrides[key];
    const target = targets.find(key);
    if (target === undefined) {
      host.report.add(
        "scene/unknown-override",
        root.keyLocation("overrides", key),
        () =>
          `${root.label} overrides ${describeValue(key)}, which ${template.file} does not contain. ${suggest(key, targets.ids(), "entities to override")}`,
      );
    } else if (target === targets.root) {
      host.shape(
        root,
        ["overrides", key],
        "this is the root of the prefab. Write its components beside overrides.",
      );
    } else if (found.has(target)) {
      host.shape(
        root,
        ["overrides", key],
        `it is overridden twice, also as ${describeValue(found.get(target)?.key)}.`,
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

function applyOverride(
  host: ExpandHost,
  node: SceneNode,
  from: SceneNode,
  json: JsonObject,
  scoped: (late: LateValue) => LateValue,
  index: number,
): void {
  for (const key in json) {
    const value = json[key];
    if (key === "parent") {
      if (typeof value === "string") node.parentId = value;
      else if (value === null) node.parent = -1;
      else host.takes(node, key, "the id of an entity or null", value);
    } else if (key === "children") {
      host.children(node, index, value, node.container as SceneNode, node.via);
    } else {
      host.part(node, key, value, overrideKeys);
    }
  }
  inherit(host, node, from, node.components, scoped);
}

/** Gives a node the components of the prefab's, with `over` merged in. */
export function inherit(
  host: ExpandHost,
  node: SceneNode,
  from: SceneNode,
  over: JsonObject | undefined,
  scoped: (late: LateValue) => LateValue,
): void {
  const { late, fresh, kept } = from.rare;
  if (kept !== undefined) node.parts.kept = { ...kept, ...node.rare.kept };
  if (over === undefined || Object.keys(over).length === 0) {
    node.components = from.components;
    node.inits = from.inits;
    node.parts.fresh = fresh;
    node.parts.late = late.map(scoped);
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
    for (const value of fresh) if (value.at === at) node.addFresh({ ...value, at: index });
    for (const value of late) if (value.codec.name === name) node.addLate(scoped(value));
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
    if (base !== undefined || ownOf(from.rare.kept?.components, name) !== undefined) {
      const { kept } = node.rare;
      if (kept?.components !== undefined) {
        const { [name]: _removed, ...components } = kept.components;
        node.parts.kept = { ...kept, components };
      }
      return;
    }
    host.report.add(
      "scene/unknown-override",
      node.keyLocation("components", name),
      `${node.label} removes ${describeValue(name)}, which the prefab does not have. ${suggest(name, Object.keys(from.components), "components there")}`,
    );
    return;
  }
  const merged = mergeJson(base, json);
  setOwn(node.components as { [name: string]: Json }, name, merged);
  const before = node.rare.late.length;
  if (!host.decoder.component(node, name, merged, true) || node.rare.late.length === before) return;
  // Ids in fields that the instance does not override are ids of the prefab's file.
  const touched = isReplacement(json) ? merged : json;
  node.parts.late = node.rare.late.map((late, k) => {
    const { field } = late;
    if (k < before || (isJsonObject(touched) && Object.hasOwn(touched, field.name))) return late;
    const original = from.rare.late.find((other) => other.codec.name === name && other.field === field);
    return original === undefined ? late : scoped(original);
  });
}
