/**
 * The index of each id among nodes.
 */
import type { Level } from "./level.ts";
import type { IdIndex, SceneNode } from "./node.ts";

/**
 * A map from ids to indices. Ids of entities that come with an instance (`tank/turret`) are long where prefabs contain prefabs,
 * so they are not kept anywhere: they are followed from instance to instance.
 */
export class NodeIds implements IdIndex {
  /** The entities and instances of the file. */
  readonly steps: Level;
  private readonly nodes: readonly SceneNode[];

  constructor(level: Level, nodes: readonly SceneNode[]) {
    this.steps = level;
    this.nodes = nodes;
  }

  get(id: string): number | undefined {
    // Users may ask for anything.
    return typeof id === "string" ? this.steps.find(id) : undefined;
  }

  has(id: string): boolean {
    return this.get(id) !== undefined;
  }

  /** The same after nodes have moved: that at index `k` is at `newIndex[k]` of `nodes` now. */
  reordered(nodes: readonly SceneNode[], newIndex: Int32Array): NodeIds {
    this.steps.slots.renumber(newIndex);
    return new NodeIds(this.steps, nodes);
  }

  /** All ids, those of the file itself first. */
  *keys(): IterableIterator<string> {
    for (const node of this.nodes) if (!node.isInside) yield node.id;
    for (const node of this.nodes) if (node.isInside) yield node.id;
  }
}
