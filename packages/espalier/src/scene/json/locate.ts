/**
 * Where in the text the parts of a JSON value stand. Asked only when there is something to complain about.
 */
import type { JsonStep } from "./json.ts";
import { scanJson } from "./scan.ts";

export interface Wanted {
  readonly path: readonly JsonStep[];
  /** The key at the end of the path rather than the value behind it. */
  readonly key: boolean;
}

/** The paths that are looked for, sharing their beginnings, with the places found. */
class PathNode {
  readonly next = new Map<JsonStep, PathNode>();
  key = -1;
  value = -1;
}

/** The offset of each path, in one pass over the text. Of a path that does not exist, the part that does is given. */
export function locate(text: string, wanted: readonly Wanted[]): number[] {
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
      const place = key && k === path.length - 1 && node.key >= 0 ? node.key : node.value;
      if (place < 0) break;
      offset = place;
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
  const open = (offset: number, firstIndex: number) => {
    enter(offset);
    nodes.push(here);
    indices.push(firstIndex);
  };
  const leave = () => {
    nodes.pop();
    indices.pop();
  };
  scanJson(text, {
    objectStart: (offset) => open(offset, -1),
    objectEnd: leave,
    arrayStart: (offset) => open(offset, 0),
    arrayEnd: leave,
    key: (name, offset) => {
      here = nodes[nodes.length - 1]?.next.get(name);
      if (here !== undefined) here.key = offset;
    },
    scalar: (_value, offset) => enter(offset),
  });
}

/** Turns offsets into lines and columns, both from 1. */
export class Lines {
  private readonly starts: number[] = [0];

  constructor(text: string) {
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) this.starts.push(at + 1);
  }

  at(offset: number): { readonly line: number; readonly column: number } {
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.starts[middle] <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - this.starts[low] + 1 };
  }
}
