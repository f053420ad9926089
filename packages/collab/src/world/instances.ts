/**
 * Instances of prefabs: which nodes are their parts, and recreating instances whose entities came back as plain ones.
 */
import { createWorld, type Entity } from "espalier";
import { createHierarchy, type Hierarchy } from "espalier/hierarchy";
import { instanceOf, instancesIn, type Scene, unpackInstance } from "espalier/scene";
import { OF, PART, PREFAB } from "../document/keys.ts";
import type { NodeId } from "../document/shared-document.ts";
import { InvalidCollabError } from "../errors.ts";
import type { SharedWorld } from "./shared-world.ts";

/** The id of the instance in a temporary scene. */
const INSTANCE = "instance";

/** A prefab that is missing, or that the world refuses. */
interface FailedInstance {
  readonly root: NodeId;
  readonly error: unknown;
}

export class Instances {
  /** Instances that could not be created here: plain entities replace them. */
  readonly failed = new Map<NodeId, FailedInstance>();
  private readonly shared: SharedWorld;
  private readonly known = new Map<string, readonly string[]>();

  constructor(shared: SharedWorld) {
    this.shared = shared;
  }

  /** Writes into the document which nodes are parts of an instance, and of which prefab. Returns whether anything differed. */
  claim(entity: Entity): boolean {
    const { shared } = this;
    const { document, parts, tree } = shared;
    const root = shared.nodeOf(entity);
    const data = root === undefined ? undefined : document.nodes.get(root)?.data;
    if (root === undefined || data === undefined) return false;
    // An instance inside another belongs to that one.
    const outer = data[OF] as NodeId | undefined;
    if (outer !== undefined && document.nodes.get(outer)?.data[PREFAB] !== undefined) return false;
    const instance = instanceOf(tree, entity);
    const isRoot = instance !== undefined && instance.root === entity;
    // A program that lacks the prefab must not unpack the instance for the others.
    if (!isRoot && this.failed.has(root)) return false;
    const names = isRoot ? this.requireParts(entity, instance.prefab) : [];
    let isChanged = document.write(root, { [PREFAB]: isRoot ? instance.prefab : undefined });
    if (isRoot) {
      shared.instanceNumbers.set(root, shared.memberOf(entity)?.instance ?? 0);
      for (const part of names) {
        const member = instance.find(part);
        const id = member === undefined ? undefined : shared.nodeOf(member);
        if (id === undefined || id === root) continue;
        if (document.write(id, { [PART]: part, [OF]: root })) {
          isChanged = true;
          parts.update(id);
        }
      }
    }
    parts.update(root);
    return isChanged;
  }

  /** Whether an instance has exactly the parts in the document. */
  isSound(root: NodeId): boolean {
    const { document, parts, tree, world } = this.shared;
    const prefab = document.nodes.get(root)?.data[PREFAB];
    const entity = this.shared.entityOf(root);
    if (entity === undefined || !world.isAlive(entity) || parts.partOf(root) !== undefined) return true;
    const instance = instanceOf(tree, entity);
    const isRoot = instance !== undefined && instance.root === entity;
    if (prefab === undefined) return !isRoot;
    if (!isRoot || instance.prefab !== prefab) return false;
    const listed = parts.partsOf(root);
    const isSame = (part: string) => {
      const id = listed.get(part);
      return instance.find(part) === (id === undefined ? undefined : this.shared.entityOf(id));
    };
    if (![...listed.keys()].every(isSame)) return false;
    try {
      return this.partsOf(instance.prefab).every(isSame);
    } catch {
      // The prefab is missing: the instance could not be recreated.
      return true;
    }
  }

  /**
   * The instances that have one of some nodes as a part here. An entity that comes back has its former handle, by which the world
   * finds the part again, also where another instance has claimed its node or the root has another node now.
   */
  withParts(nodes: Iterable<NodeId>): Set<NodeId> {
    const { document, tree } = this.shared;
    const found = new Set<NodeId>();
    const byPart = new Map<string, Set<Entity | undefined>>();
    for (const id of nodes) {
      const part = document.nodes.get(id)?.data[PART] as string | undefined;
      if (part === undefined) continue;
      const entities = byPart.get(part);
      if (entities === undefined) byPart.set(part, new Set([this.shared.entityOf(id)]));
      else entities.add(this.shared.entityOf(id));
    }
    if (byPart.size === 0) return found;
    for (const instance of instancesIn(tree)) {
      const root = this.shared.nodeOf(instance.root);
      const isWithPart = [...byPart].some(([part, entities]) => entities.has(instance.find(part)));
      if (root !== undefined && isWithPart) found.add(root);
    }
    return found;
  }

  unpack(root: NodeId): void {
    const entity = this.shared.entityOf(root) as Entity;
    if (instanceOf(this.shared.tree, entity)?.root === entity) unpackInstance(this.shared.tree, entity);
  }

  /**
   * Recreates the instance of a node, as a root.
   *
   * @returns Its entities by part; `""` is the root.
   * @throws SceneError when the prefab is missing, or the world refuses it.
   */
  make(prefab: string): Map<string, Entity> {
    const scene = this.load(this.shared.tree, prefab);
    const root = scene.entity(INSTANCE);
    const made = new Map<string, Entity>([["", root]]);
    for (const [part, entity] of partsIn(scene, root)) made.set(part, entity);
    this.known.set(prefab, [...made.keys()].slice(1));
    return made;
  }

  /** The same for an instance that this program made. @throws InvalidCollabError */
  private requireParts(entity: Entity, prefab: string): readonly string[] {
    try {
      return this.partsOf(prefab);
    } catch (cause) {
      throw new InvalidCollabError(
        `Cannot share ${this.shared.tree.label(entity)}: it is an instance of the prefab "${prefab}", which cannot be read by that name here: ${reasonOf(cause)}. Give joinScene the prefabs that all members have, and format.prefab() the file as its name; or call unpackInstance() first.`,
        { entities: [entity], subject: prefab, cause },
      );
    }
  }

  /** The ids of a prefab's entities, except its root. */
  private partsOf(prefab: string): readonly string[] {
    let found = this.known.get(prefab);
    if (found === undefined) {
      const tree = createHierarchy(createWorld({ onError: () => {} }));
      const scene = this.load(tree, prefab);
      found = [...partsIn(scene, scene.entity(INSTANCE)).keys()];
      this.known.set(prefab, found);
      tree.world.dispose();
    }
    return found;
  }

  private load(tree: Hierarchy, prefab: string): Scene {
    const { format, prefabs, file, unknown } = this.shared.options;
    const scene = { version: format.version, entities: [{ id: INSTANCE, prefab }] };
    return format.load(tree, scene, {
      ...(prefabs && { prefabs }),
      ...(file !== undefined && { file }),
      ...(unknown && { unknown }),
    });
  }
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function partsIn(scene: Scene, root: Entity): Map<string, Entity> {
  const found = new Map<string, Entity>();
  for (const entity of scene.tree.descendants(root)) {
    const id = scene.idOf(entity);
    if (id?.startsWith(`${INSTANCE}/`)) found.set(id.slice(INSTANCE.length + 1), entity);
  }
  return found;
}
