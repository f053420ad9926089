/**
 * Everything a renderer follows in a world, through change readers only: a frame without changes only compares
 * their counters.
 */
import { type ChangeReader, changesOf, type Entity } from "../../ecs/index.ts";
import type { Transforms2D } from "../../transform/index.ts";
import { drawValues } from "../drawings/draw-values.ts";
import { drawingKinds } from "../drawings/drawing.ts";

/** The listener of these changes. */
export interface SceneListener {
  /** The component with that rank was added to, removed from or changed on the entity. */
  componentChanged(entity: Entity, rank: number, kind: "added" | "changed" | "removed"): void;
  /** Its world transform changed. */
  moved(entity: Entity): void;
  destroyed(entity: Entity): void;
  /** Effective activity changed. */
  activityChanged(entity: Entity): void;
  /** Effective visibility changed. */
  visibilityChanged(entity: Entity): void;
  /** Effective tint or alpha changed. */
  colorChanged(entity: Entity): void;
  /** Effective z changed. */
  depthChanged(entity: Entity): void;
  /** Children of an entity were added, removed or reordered; `null` for the roots. */
  childrenChanged(entity: Entity | null): void;
  /** There were more changes in the tree than could be kept. */
  treeChanged(): void;
}

export interface SceneChanges {
  /** Updates world values and reports changes since the last call. Returns whether there were any. */
  read(): boolean;
  close(): void;
}

export function createSceneChanges(space: Transforms2D, listener: SceneListener): SceneChanges {
  const { tree } = space;
  const { world } = tree;
  const values = drawValues(tree);
  const flows = [space, values.active, values.visible, values.tint, values.alpha, values.z];
  for (const flow of flows) flow.propagate();

  type Told = (entity: Entity, kind: "added" | "changed" | "removed") => void;
  const readers: { readonly reader: ChangeReader; readonly told: Told }[] = [];
  for (const [rank, { component }] of drawingKinds.entries()) {
    if (component === null) continue;
    const told: Told = (entity, kind) => listener.componentChanged(entity, rank, kind);
    readers.push({ reader: changesOf(world, component), told });
  }
  const follow = (reader: ChangeReader, tell: (entity: Entity) => void): void => {
    readers.push({
      reader,
      told: (entity, kind) => {
        // Also for added ones: an entity that was removed and restored is reported as new, whatever happened before.
        if (kind !== "removed") tell(entity);
      },
    });
  };
  readers.push({
    reader: space.changes(),
    told(entity, kind) {
      if (kind !== "removed") listener.moved(entity);
      else if (!world.isAlive(entity)) listener.destroyed(entity);
    },
  });
  follow(values.active.changes(), (entity) => listener.activityChanged(entity));
  follow(values.visible.changes(), (entity) => listener.visibilityChanged(entity));
  follow(values.tint.changes(), (entity) => listener.colorChanged(entity));
  follow(values.alpha.changes(), (entity) => listener.colorChanged(entity));
  follow(values.z.changes(), (entity) => listener.depthChanged(entity));
  const links = tree.events.reader({ name: "renderer", onMissed: () => listener.treeChanged() });

  return {
    read() {
      for (const flow of flows) flow.propagate();
      let changed = false;
      for (const { reader, told } of readers) {
        if (reader.pending === 0) continue;
        changed = true;
        reader.forEach(told);
      }
      if (links.pending === 0 && links.missed === 0) return changed;
      links.forEach((event) => {
        changed = true;
        if (event.type === "moved") {
          listener.childrenChanged(event.previousParent);
          listener.childrenChanged(event.newParent);
        } else listener.childrenChanged(event.parent);
      });
      return changed;
    },
    close() {
      for (const { reader } of readers) reader.close();
      links.close();
    },
  };
}
