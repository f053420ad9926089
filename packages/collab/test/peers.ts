/** Peers that share a scene without a network: what one has is imported by the other when a test says so. */
import {
  bool,
  checkWorld,
  component,
  createWorld,
  type Entity,
  entityRef,
  enumOf,
  f32,
  object,
  string,
  tag,
} from "espalier";
import { createHierarchy, type Hierarchy } from "espalier/hierarchy";
import { followChanges } from "espalier/history";
import {
  createSceneFormat,
  type FieldCodec,
  instanceOf,
  instancesIn,
  type Prefabs,
  type Scene,
  withCodec,
} from "espalier/scene";
import { LoroDoc } from "loro-crdt";
import { PREFAB } from "../src/document/keys.ts";
import { SharedDocument } from "../src/document/shared-document.ts";
import { sharedSchemaOf } from "../src/document/shared-schema.ts";
import { isSame, toShared } from "../src/document/values.ts";
import { SharedUndo } from "../src/shared-undo.ts";
import { Binding } from "../src/world/binding.ts";

export const Health = component("Health", { hp: f32(100), name: string("") });
export const Aim = component("Aim", { at: entityRef(), strong: bool() });
export const Door = component("Door", { state: enumOf("open", "closed") });
export const Data = component("Data", { value: object(() => ({ b: 1, a: [1, 2] }) as unknown) });
export const Rusty = tag("Rusty");
export const Party = component("Party", { members: object(() => new Set<Entity>()) });
const members: FieldCodec<ReadonlySet<Entity>> = {
  references: true,
  write: (set, { idOf }) => [...set].map((member) => idOf(member)),
  read: (json, { entity }) => new Set((json as string[]).map((id) => entity(id))),
};
export const codecs = { "Party.members": members as FieldCodec<never> };
export const components = [
  Health,
  Aim,
  Door,
  Data,
  Rusty,
  withCodec(Party, { fields: { members: members as never } }),
] as const;
export const format = createSceneFormat({ components });

export const prefabs = {
  tank: `{ "entities": [ { "id": "tank", "components": { "Health": { "hp": 250 } }, "children": [
    { "id": "turret", "name": "turret", "components": { "Aim": { "at": "hatch" } }, "children": [{ "id": "barrel", "name": "barrel" }] },
    { "id": "hatch", "name": "hatch", "components": { "Door": { "state": "closed" } } } ] } ] }`,
  pair: `{ "entities": [ { "id": "pair", "children": [
    { "id": "left", "prefab": "tank" }, { "id": "right", "prefab": "tank", "overrides": { "barrel": null } } ] } ] }`,
};

export const level = `{ "entities": [
  { "id": "ground", "name": "ground", "components": { "Health": { "hp": 1 } }, "children": [{ "id": "rock", "name": "rock" }] },
  { "id": "one", "name": "one", "prefab": "tank" },
  { "id": "two", "name": "two", "prefab": "pair", "parent": "ground" } ] }`;

export interface Peer {
  readonly doc: LoroDoc;
  readonly tree: Hierarchy;
  readonly scene: Scene;
  readonly document: SharedDocument;
  readonly binding: Binding;
  readonly undo: SharedUndo;
}

let nextPeer = 1;

/** The numbers of peers decide in which order nodes stand, so each session begins with the same. */
export function restartPeers(): void {
  nextPeer = 1;
}

/** A peer that begins with what another has, or with the scene. */
export function createPeer(from?: Peer, text = level, ownPrefabs: Prefabs = prefabs, file = "level"): Peer {
  const tree = createHierarchy(createWorld());
  const scene = format.load(tree, text, { prefabs: ownPrefabs, file });
  const doc = new LoroDoc();
  doc.setPeerId(BigInt(nextPeer++));
  if (from !== undefined) {
    from.binding.flush();
    doc.import(from.doc.export({ mode: "snapshot" }));
  }
  const document = new SharedDocument(doc, "scene", sharedSchemaOf(format, codecs));
  const binding = new Binding(scene, document, { format, prefabs: ownPrefabs, file, codecs });
  if (from === undefined) binding.publish();
  else binding.adopt();
  return { doc, tree, scene, document, binding, undo: new SharedUndo(doc, binding) };
}

/** Frees what a peer holds. The engine keeps a document and its world for as long as it has listeners. */
export function closePeer({ doc, tree, binding, undo }: Peer): void {
  undo.close();
  binding.close();
  tree.world.dispose();
  doc.free();
}

/** `to` takes what `from` has. */
export function sync(from: Peer, to: Peer): void {
  from.binding.flush();
  to.binding.flush();
  to.doc.import(from.doc.export({ mode: "update", from: to.doc.version() }));
  to.binding.receive();
}

export function syncAll(peers: readonly Peer[]): void {
  for (let round = 0; round < 2; round++)
    for (const a of peers) for (const b of peers) if (a !== b) sync(a, b);
}

/** Everything of the scene, in tree order. */
export function entitiesOf({ scene, tree }: Peer): Entity[] {
  return scene.roots().flatMap((root) => [...tree.descendants(root, { includeSelf: true })]);
}

/** What is wrong with a peer by itself. */
export function faultsOf({ tree, document, binding }: Peer): string[] {
  const { shared } = binding;
  const faults = [...checkWorld(tree.world).map(({ message }) => message), ...document.differences()];
  for (const [key, entity] of shared.ids.entries()) {
    const node = document.nodes.get(key as never);
    if (node === undefined || !document.has(node.id) || !tree.world.isAlive(entity)) {
      faults.push(`${key}: ${node === undefined ? "no node" : "no entity"}`);
      continue;
    }
    const parent = tree.parentOf(entity);
    if ((parent === null ? undefined : shared.nodeOf(parent)) !== node.parent)
      faults.push(`${key}: another parent`);
    const own = tree.childrenOf(entity).flatMap((child) => shared.nodeOf(child) ?? []);
    if (own.join() !== document.children(node.id).join()) faults.push(`${key}: other children`);
  }
  faults.push(...valueFaultsOf(binding), ...instanceFaultsOf(binding));
  if (shared.ids.size !== document.size) faults.push(`${shared.ids.size} entities, ${document.size} nodes`);
  return faults;
}

/** What the prefabs of the test have, but for their roots. */
const partsOf: { readonly [prefab: string]: readonly string[] } = {
  tank: ["turret", "barrel", "hatch"],
  pair: ["left", "right"].flatMap((side) =>
    ["", "/turret", "/barrel", "/hatch"].map((part) => `${side}${part}`),
  ),
};

/** Instances that the world has otherwise than the document: none that it does not list, and no part more or less. */
function instanceFaultsOf({ shared, problems }: Binding): string[] {
  // One that could not be made is none here.
  if (problems.some(({ code }) => code.startsWith("scene/"))) return [];
  const { document, parts, tree } = shared;
  const rest = new Set(instancesIn(tree).map(({ root }) => root));
  const faults: string[] = [];
  for (const { id, data } of document.preOrder()) {
    if (data[PREFAB] === undefined || parts.partOf(id) !== undefined) continue;
    const root = shared.entityOf(id);
    const instance = root === undefined || !tree.world.isAlive(root) ? undefined : instanceOf(tree, root);
    if (instance === undefined || instance.root !== root || instance.prefab !== data[PREFAB]) {
      faults.push(`${id}: no instance of ${data[PREFAB]}`);
      continue;
    }
    rest.delete(root);
    const listed = parts.partsOf(id);
    for (const part of partsOf[instance.prefab] ?? []) {
      const there = listed.get(part);
      const here = instance.find(part);
      if (here !== (there === undefined ? undefined : shared.entityOf(there)))
        faults.push(`${id}: ${part} is ${here && shared.nodeOf(here)}, not ${there}`);
    }
  }
  for (const root of rest) {
    const id = shared.nodeOf(root);
    if (id !== undefined) faults.push(`${id}: an instance that the document does not have`);
  }
  return faults;
}

/** Values that the world has otherwise than the document. */
function valueFaultsOf({ shared }: Binding): string[] {
  const { document, schema, tree, world } = shared;
  const stream = followChanges(world, { trees: [tree], codecs: shared.codecs });
  const { patch } = stream.snapshot();
  stream.close();
  return patch.flatMap((entry) => {
    const id = entry.op === "add" ? shared.nodeOf(entry.id as Entity) : undefined;
    if (entry.op !== "add" || id === undefined) return [];
    const data = document.nodes.get(id)?.data ?? {};
    return [...schema.fieldsOf].flatMap(([component, fields]) => {
      const values = entry.components[component];
      if ((values === undefined) !== (data[`+${component}`] === undefined)) return [`${id}: ${component}`];
      return fields.flatMap((field) => {
        const value = values?.[field.name];
        if (value === undefined || shared.codecs[field.key] !== undefined) return [];
        const here = toShared(field, value, (entity) => shared.nodeMeant(entity));
        return isSame(field, data[field.key], here, (target) => shared.targetOf(target))
          ? []
          : [`${id}: ${field.key} is ${here}, not ${data[field.key]}`];
      });
    });
  });
}
