/**
 * Converts between the two forms of a scene: nested, for people, and flat, as it is saved. Components are not read.
 */
import { type EntityEntry, requireFile, type SceneFile } from "../file.ts";
import { ChildLists, idMaker } from "../read/link.ts";
import { SceneNode } from "../read/node.ts";

type Entry = { [key: string]: unknown };

/** The same scene with every entity listed on its own, parents first. Anonymous entities get ids. */
export function toFlat(scene: SceneFile): SceneFile {
  const file = requireFile(scene, "make a scene flat");
  const { entries, nodes } = spread(file);
  const taken = new Set<unknown>(entries.map((entry) => entry.id));
  const make = idMaker((id) => taken.has(id));
  for (const entry of entries) {
    if (entry.id !== undefined) continue;
    const like = entry.name ?? entry.prefab;
    entry.id = make(typeof like === "string" ? like : undefined);
    taken.add(entry.id);
  }
  const { order, rest } = inOrder(nodes);
  const flat = [...order, ...rest].map((k) => {
    const { id, name, parent: written, ...rest } = entries[k];
    // A parent inside a prefab instance has no entry of its own.
    const parent = nodes[k].parent < 0 ? written : entries[nodes[k].parent].id;
    return clean({ id, name, parent, ...rest });
  });
  return { ...file, entities: flat as unknown as EntityEntry[] };
}

/** The same scene with every entity inside its parent. Ids without references are kept too. */
export function toNested(scene: SceneFile): SceneFile {
  const file = requireFile(scene, "nest a scene");
  const { entries, nodes } = spread(file);
  const { order, rest } = inOrder(nodes);
  const roots: Entry[] = [];
  for (const k of order) {
    const { parent } = nodes[k];
    if (parent < 0) {
      roots.push(entries[k]);
      continue;
    }
    delete entries[k].parent;
    const above = entries[parent];
    const children = (above.children ?? []) as Entry[];
    // Last, so that a reader sees the entity before what is below it.
    delete above.children;
    above.children = children;
    children.push(entries[k]);
  }
  // Entities that form a cycle are below no root; they stay as they are.
  for (const k of rest) roots.push(entries[k]);
  return { ...file, entities: roots as unknown as EntityEntry[] };
}

/** Copies of all entries without their children, in the order of the text, and the parent of each. */
function spread(file: SceneFile): { entries: Entry[]; nodes: SceneNode[] } {
  const entries: Entry[] = [];
  const nodes: SceneNode[] = [];
  const source = { file: undefined, text: undefined, value: null };
  const stack: { list: readonly EntityEntry[]; parent: number; at: number }[] = [
    { list: file.entities, parent: -1, at: 0 },
  ];
  while (stack.length > 0) {
    const frame = stack[stack.length - 1];
    if (frame.at === frame.list.length) {
      stack.pop();
      continue;
    }
    const { children, ...entry } = frame.list[frame.at++];
    const node = new SceneNode(source, undefined, undefined, entries.length);
    node.parent = frame.parent;
    nodes.push(node);
    const index = entries.push(entry as Entry) - 1;
    if (children !== undefined && children.length > 0) stack.push({ list: children, parent: index, at: 0 });
  }
  const byId = new Map(entries.map((entry, k) => [entry.id, k]));
  entries.forEach((entry, k) => {
    if (typeof entry.parent === "string") nodes[k].parent = byId.get(entry.parent) ?? -1;
  });
  return { entries, nodes };
}

/** Pre-order, and separately the nodes that are below no root. */
function inOrder(nodes: readonly SceneNode[]): { order: number[]; rest: number[] } {
  const all = new Int32Array(nodes.length);
  const order = [...all.subarray(0, new ChildLists(nodes).preorder(all))];
  if (order.length === nodes.length) return { order, rest: [] };
  const reached = new Set(order);
  return { order, rest: nodes.map((_, k) => k).filter((k) => !reached.has(k)) };
}

function clean(entry: Entry): Entry {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
}
