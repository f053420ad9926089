/**
 * A prefab that is composed of others: one root that has the components and the children of all their roots.
 *
 * The result is a prefab like any other, so code for instances does not know about compositions. The ids of entities begin with
 * that of the root of their prefab, as inside an instance: `tank/turret`, `burning/flame`. So they do not change when a prefab is added.
 */
import { ownOf, setOwn } from "../../history/internal.ts";
import { isJsonObject, type Json, type JsonObject } from "../json/json.ts";
import { mergeJson } from "../json/values.ts";
import { type ExpandHost, inherit } from "./expand.ts";
import { Members } from "./level.ts";
import { idMaker } from "./link.ts";
import { type Kept, type LateValue, SceneNode, type Template } from "./node.ts";

type Scoped = (late: LateValue) => LateValue;

/** The root of one of the prefabs. */
interface Part {
  readonly from: SceneNode;
  readonly scoped: Scoped;
}

/** @param templates - With roots of different ids. */
export function composeParts(host: ExpandHost, templates: readonly Template[]): void {
  const { nodes, level } = host;
  const { source } = level;
  const root = new SceneNode(source, undefined, undefined, -1);
  // The file gives the root no id. It must depend neither on the parts nor on the folder of the file.
  root.id = idMaker(() => false)(source.file?.replace(/^.*[\\/]/, ""));
  const index = nodes.push(root) - 1;
  const start = nodes.length;
  const parts = templates.map((template): Part => {
    const from = template.nodes;
    const owner = new SceneNode(source, undefined, undefined, -1);
    owner.id = from[0].id;
    const members = new Int32Array(from.length).fill(-1);
    members[0] = index;
    const inside = new Members(template, members, host.slots, owner);
    const scoped: Scoped = (late) => ({ ...late, scope: inside.scopeOf(late.scope) });
    for (let k = 1; k < from.length; k++) {
      const node = new SceneNode(source, root, undefined, -1);
      members[k] = nodes.push(node) - 1;
      node.belongTo(owner, template, k);
      node.name = from[k].name;
      node.parent = members[from[k].parent];
      inherit(host, node, from[k], undefined, scoped);
    }
    level.inner.push({ node: owner, inside: inside.steps });
    return { from: from[0], scoped };
  });
  level.holes.push(start, nodes.length);
  for (const { from } of parts) if (typeof from.name === "string") root.name = from.name;
  composeRoot(host, root, parts);
}

/** Gives the root the components of all; where several have one, later fields win. */
function composeRoot(host: ExpandHost, root: SceneNode, parts: readonly Part[]): void {
  const having = new Map<string, Part[]>();
  for (const part of parts) {
    keepAll(root, part.from.rare.kept);
    for (const name in part.from.components) having.set(name, [...(having.get(name) ?? []), part]);
  }
  const components: { [name: string]: Json } = {};
  root.components = components;
  root.inits = [];
  for (const [name, owners] of having) {
    if (owners.length === 1) {
      setOwn(components, name, owners[0].from.components[name]);
      takeComponent(root, name, owners[0]);
      continue;
    }
    const merged = owners.reduce<Json | undefined>(
      (base, { from }) => mergeJson(base, from.components[name]),
      undefined,
    ) as Json;
    setOwn(components, name, merged);
    const { length } = root.rare.late;
    host.decoder.component(root, name, merged, true);
    if (root.rare.late.length > length) root.parts.late = scopedLate(root.rare.late, length, owners);
  }
}

/** Adds what was kept of one of the roots. */
function keepAll(root: SceneNode, kept: Kept | undefined): void {
  if (kept === undefined) return;
  const { components, keys, references } = root.rare.kept ?? {};
  root.parts.kept = {
    components: { ...components, ...kept.components },
    keys: { ...keys, ...kept.keys },
    references: { ...references, ...kept.references },
  };
}

/** The component as one of the prefabs has it. */
function takeComponent(root: SceneNode, name: string, { from, scoped }: Part): void {
  from.inits.forEach((init, at) => {
    if (init.component.name !== name) return;
    const index = root.inits.push(init) - 1;
    for (const value of from.rare.fresh) if (value.at === at) root.addFresh({ ...value, at: index });
  });
  for (const value of from.rare.late) if (value.codec.name === name) root.addLate(scoped(value));
}

/** Ids in a field are resolved in the last prefab that sets it. */
function scopedLate(late: readonly LateValue[], start: number, owners: readonly Part[]): LateValue[] {
  return late.map((value, k) => {
    if (k < start) return value;
    const { codec, field } = value;
    const says = ({ from }: Part) => {
      const json = ownOf(from.components as JsonObject, codec.name);
      return isJsonObject(json) && Object.hasOwn(json, field.name);
    };
    const last = owners.filter(says).at(-1);
    const original = last?.from.rare.late.find(
      (other) => other.codec.name === codec.name && other.field === field,
    );
    return original === undefined ? value : (last as Part).scoped(original);
  });
}
