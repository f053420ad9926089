/**
 * Hints at the end of names of nodes, which the importer of Godot acts on: it creates something else for a node, removes the hint from
 * its name, or leaves the node out.
 */
import type { GltfJson, Item } from "./gltf-json.ts";

/** The effect of a hint on a node in Godot. */
type Effect =
  /** The node and everything below it are left out. */
  | "nothing"
  /** The same node without the hint, and more below it. */
  | "more"
  /** Something else instead of the node, under the name without the hint. */
  | "other"
  /** A body instead of the node; some versions leave the hint in its name. */
  | "body";

interface Rule {
  readonly effect: Effect;
  /** Whether it applies only to a node with a mesh. */
  readonly needsMesh: boolean;
}

const rules: ReadonlyMap<string, Rule> = new Map([
  ["noimp", { effect: "nothing", needsMesh: false }],
  ["colonly", { effect: "other", needsMesh: true }],
  ["convcolonly", { effect: "other", needsMesh: true }],
  ["rigid", { effect: "body", needsMesh: true }],
  ["col", { effect: "more", needsMesh: true }],
  ["convcol", { effect: "more", needsMesh: true }],
  ["navmesh", { effect: "other", needsMesh: true }],
  ["occ", { effect: "more", needsMesh: true }],
  ["occonly", { effect: "nothing", needsMesh: true }],
  ["vehicle", { effect: "other", needsMesh: false }],
  ["wheel", { effect: "other", needsMesh: false }],
]);

export interface Hint {
  readonly hint: string;
  readonly effect: Effect;
  /** The name without the hint. */
  readonly rest: string;
}

/** Which hints a project uses. */
export interface HintSettings {
  /** `-noimp` */
  readonly names: boolean;
  /** All others. */
  readonly types: boolean;
}

/** The hint in the name of a node that Godot acts on, if there is one. A suffix of letters and digits, as tools add to copies, stays. */
export function hintIn(name: string, node: Item, settings: HintSettings): Hint | undefined {
  const [end = ""] = /[0-9\s._]*$/.exec(name) ?? [];
  const what = name.slice(0, name.length - end.length);
  for (const [hint, { effect, needsMesh }] of rules) {
    if (!(hint === "noimp" ? settings.names : settings.types)) continue;
    if (needsMesh && (node.mesh === undefined || node.skin !== undefined)) continue;
    const lower = what.toLowerCase();
    const at = lower.indexOf(`$${hint}`);
    if (at >= 0) return { hint, effect, rest: what.slice(0, at) + what.slice(at + hint.length + 1) + end };
    if (!lower.endsWith(`-${hint}`) && !lower.endsWith(`_${hint}`)) continue;
    return { hint, effect, rest: what.slice(0, what.length - hint.length - 1) + end };
  }
  return undefined;
}

/** The nodes that Godot leaves out, with their descendants. */
export function leftOut(
  { nodes = [] }: GltfJson,
  settings: HintSettings,
  bones: ReadonlySet<number>,
): Set<number> {
  const out = new Set<number>();
  const waiting = nodes
    .map((_, k) => k)
    .filter((k) => {
      const node = nodes[k] as Item;
      return !bones.has(k) && hintIn(String(node.name ?? ""), node, settings)?.effect === "nothing";
    });
  for (let k = waiting.pop(); k !== undefined; k = waiting.pop()) {
    if (out.has(k)) continue;
    out.add(k);
    waiting.push(...(((nodes[k] as Item).children ?? []) as readonly number[]));
  }
  return out;
}
