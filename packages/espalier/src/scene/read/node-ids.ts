/**
 * The index of each id among nodes.
 */
import type { SceneNode } from "./node.ts";

/**
 * A map from ids to indices. Ids of entities that come with an instance (`tank/turret`) are long where prefabs contain prefabs,
 * and of most prefabs nobody asks for one: they are put in when somebody does.
 */
export class NodeIds extends Map<string, number> {
  private waiting: readonly SceneNode[] | undefined;

  constructor(nodes: readonly SceneNode[] = []) {
    super();
    this.waiting = nodes.some((node) => node.owner !== undefined) ? nodes : undefined;
    for (let k = 0; k < nodes.length; k++) if (nodes[k].owner === undefined) super.set(nodes[k].id, k);
  }

  override get(id: string): number | undefined {
    if (this.waiting !== undefined && id.includes("/")) this.complete();
    return super.get(id);
  }

  override has(id: string): boolean {
    return this.get(id) !== undefined;
  }

  override keys(): MapIterator<string> {
    this.complete();
    return super.keys();
  }

  override entries(): MapIterator<[string, number]> {
    this.complete();
    return super.entries();
  }

  override [Symbol.iterator](): MapIterator<[string, number]> {
    return this.entries();
  }

  /** Waits for `complete` with those that come with instances. */
  await(nodes: readonly SceneNode[]): void {
    this.waiting = nodes;
  }

  private complete(): void {
    const nodes = this.waiting;
    this.waiting = undefined;
    nodes?.forEach((node, k) => {
      if (node.owner !== undefined) super.set(node.id, k);
    });
  }
}
