/**
 * The locations of the parts of a JSON value in its text. Used only when there is a problem to report.
 */
import type { JsonStep } from "./json.ts";
import { scanJson } from "./scan.ts";

export interface Wanted {
  readonly path: readonly JsonStep[];
  /** Whether the key at the end of the path is wanted, rather than its value. */
  readonly key: boolean;
}

/** The wanted paths as a tree, with the offsets found. */
class PathNode {
  readonly next = new Map<JsonStep, PathNode>();
  key = -1;
  value = -1;
}

/** The offset of each path, in one pass over the text. For a path that does not exist, the offset of the part that does. */
export function locate(text: string, wanted: readonly Wanted[]): number[] {
  if (wanted.length === 0) return [];
  const root = new PathNode();
  for (const { path } of wanted) {
    let node = root;
    for (const step of path) {
      let next = node.next.get(step);
      if (next === undefined) node.next.set(step, (next = new PathNode()));
      node = next;
    }
  }
  visit(text, root);
  return wanted.map(({ path, key }) => {
    let node = root;
    let offset = Math.max(root.value, 0);
    for (let k = 0; k < path.length; k++) {
      node = node.next.get(path[k]) as PathNode;
      const at = key && k === path.length - 1 && node.key >= 0 ? node.key : node.value;
      if (at < 0) break;
      offset = at;
    }
    return offset;
  });
}

function visit(text: string, root: PathNode): void {
  // For each open container: the node of its path, if anything below it is wanted, and in arrays the next index.
  const nodes: (PathNode | undefined)[] = [];
  const indices: number[] = [];
  let here: PathNode | undefined = root;
  const enter = (offset: number) => {
    const top = nodes.length - 1;
    if (top >= 0 && indices[top] >= 0) here = nodes[top]?.next.get(indices[top]++);
    if (here !== undefined) here.value = offset;
  };
  scanJson(text, {
    open: (isList, offset) => {
      enter(offset);
      nodes.push(here);
      indices.push(isList ? 0 : -1);
    },
    close: () => {
      nodes.pop();
      indices.pop();
    },
    key: (name, offset) => {
      here = nodes[nodes.length - 1]?.next.get(name);
      if (here !== undefined) here.key = offset;
    },
    scalar: (_value, offset) => enter(offset),
  });
}
