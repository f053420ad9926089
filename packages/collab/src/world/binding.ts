/**
 * Keeps a scene in a world and a shared document in sync.
 */
import type { Entity } from "espalier";
import { applyPatch, HistoryBusyError, type PatchEntry, type Violation } from "espalier/history";
import { instanceOf, type Scene } from "espalier/scene";
import type { NodeId, SharedDocument } from "../document/shared-document.ts";
import type { Crossed } from "./crossing.ts";
import { Instances, reasonOf } from "./instances.ts";
import { type SharedSceneOptions, SharedWorld } from "./shared-world.ts";
import { DocumentWriter } from "./write-document.ts";
import { WorldWriter } from "./write-world.ts";

/** A merged change that violates the rules of this world. */
export interface SharedProblem {
  /** The code of the error that the same edit would throw here: `"hierarchy/duplicate-name"`, the name of a rule, `"scene/…"`. */
  readonly code: string;
  /** The affected entities. */
  readonly entities: readonly Entity[];
  /** The reason as text. */
  readonly message: string;
}

export class Binding {
  readonly shared: SharedWorld;
  problems: readonly SharedProblem[] = [];
  /** Called when world and document cannot be kept equal any more; `flush` and `receive` do nothing then. */
  failed: (error: Error) => void = () => {};
  private isBroken = false;
  private readonly instances: Instances;
  private readonly toDocument: DocumentWriter;
  private readonly toWorld: WorldWriter;
  /** Nodes whose entities live on, instead of being destroyed, if the next changes remove them. */
  private readonly hiding = new Map<NodeId, boolean>();

  constructor(scene: Scene, document: SharedDocument, options: SharedSceneOptions) {
    this.shared = new SharedWorld(scene, document, options);
    this.instances = new Instances(this.shared);
    this.toDocument = new DocumentWriter(this.shared, this.instances);
    this.toWorld = new WorldWriter(this.shared, this.instances);
  }

  /** Fills an empty document with the scene. */
  publish(): void {
    this.toDocument.writeAll(true);
    this.shared.document.commit();
    this.shared.document.settle();
    this.settle([]);
  }

  /** Makes the scene equal to the document. Entities keep their identity by their ids in the scene's file. */
  adopt(): void {
    const { document, ids, world } = this.shared;
    const former = this.sceneEntities();
    for (const { id } of document.preOrder()) {
      const entity = this.counterpart(id);
      if (entity !== undefined && ids.keyOf(entity) === undefined) ids.set(id, entity);
    }
    const keys = new Map<NodeId, ReadonlySet<string>>();
    const all = this.toWorld.allKeys();
    for (const id of document.ids()) if (ids.entityOf(id) !== undefined) keys.set(id, all);
    const violations = this.toWorld.write(new Set(document.ids()), keys);
    for (const entity of former)
      if (world.isAlive(entity) && ids.keyOf(entity) === undefined) world.destroy(entity);
    document.settle();
    this.finish(violations);
  }

  /** Writes changes of this program into the document. Returns whether there were any. */
  flush(): boolean {
    return this.orFail(() => this.send());
  }

  private send(): boolean {
    const isChanged = this.toDocument.write();
    if (isChanged) this.shared.document.commit();
    if (isChanged || this.toDocument.reshaped.size > 0) this.settle([]);
    return isChanged;
  }

  /**
   * Applies changes of others to the world. Returns whether that was possible, which it is not inside an open step.
   *
   * @param isReplay - Whether undo or redo made the changes: what the world does in response is no step of its own.
   */
  receive(isReplay = false): boolean {
    return this.orFail(() => this.take(isReplay));
  }

  /** What is written by half is never committed. */
  private orFail(work: () => boolean): boolean {
    if (this.isBroken) return false;
    try {
      return work();
    } catch (error) {
      this.isBroken = true;
      this.failed(error as Error);
      throw error;
    }
  }

  private take(isReplay: boolean): boolean {
    const { document } = this.shared;
    if (!document.hasPending) {
      this.hiding.clear();
      return true;
    }
    const { placed, keys } = document.pending;
    let violations: readonly Violation[];
    try {
      violations = this.toWorld.write(placed, keys, this.hiding);
      this.hiding.clear();
    } catch (error) {
      if (error instanceof HistoryBusyError) return false;
      throw error;
    }
    document.settle();
    this.finish(violations, isReplay);
    return true;
  }

  /** Nodes whose entities live on when the last changes of this program are undone, as `Transient`. */
  get crossed(): Crossed {
    return this.toDocument.crossed;
  }

  /** Where changes of the document remove these nodes now, their entities live on instead of being destroyed. */
  hide(nodes: Crossed): void {
    for (const [id, isByTransient] of nodes)
      this.hiding.set(id, isByTransient || this.hiding.get(id) === true);
  }

  /** Retries instances that could not be created. */
  retry(): void {
    this.flush();
    this.receive();
    const violations = this.toWorld.retry();
    if (violations !== undefined) this.finish(violations);
  }

  /** Handles reactions of the world and changes that came from the document itself. */
  private finish(violations: readonly Violation[], isReplay = false): void {
    const { document } = this.shared;
    if (this.toDocument.write()) {
      if (isReplay) document.commitOutsideSteps();
      else document.commit();
    }
    this.settle(violations);
  }

  private settle(violations: readonly Violation[]): void {
    this.settleIds([...violations, ...this.settleParts()]);
  }

  /** If own edits made a different node a part of an instance, the instance is recreated here too, as it is for all others. */
  private settleParts(): readonly Violation[] {
    const { reshaped } = this.toDocument;
    const roots = [...reshaped].filter((root) => !this.instances.isSound(root));
    if (roots.length > 0 && !this.canEdit()) return [];
    reshaped.clear();
    if (roots.length === 0) return [];
    const violations = this.toWorld.mendAll(roots);
    if (this.toDocument.write()) this.shared.document.commit();
    return violations;
  }

  /** Whether the world can be edited: not inside a loop over a query or an observer. */
  private canEdit(): boolean {
    try {
      applyPatch(this.shared.world, []);
      return true;
    } catch (error) {
      if (error instanceof HistoryBusyError) return false;
      throw error;
    }
  }

  private settleIds(violations: readonly Violation[]): void {
    const { ids, document } = this.shared;
    const { renamed } = this.toDocument;
    const entries: PatchEntry[] = [];
    const settled = new Set(renamed);
    for (const id of settled) {
      const entity = ids.entityOf(id);
      if (entity === undefined || !document.has(id)) continue;
      const values = this.shared.memberValues(id);
      const own = this.shared.memberOf(entity);
      if (own?.scene !== values.scene || own.id !== values.id)
        entries.push({ op: "set", id, component: "SceneMember", values });
    }
    try {
      this.shared.apply(entries);
      if (entries.length > 0) this.toDocument.write();
      for (const id of settled) renamed.delete(id);
      this.updateProblems(violations);
    } catch (error) {
      // Inside an open step: retried the next time.
      if (!(error instanceof HistoryBusyError)) throw error;
    }
  }

  /** Violated rules are checked again: the problem may be solved. */
  updateProblems(violations: readonly Violation[] = []): void {
    const { tree, world, ids, document } = this.shared;
    const { misfits } = document;
    const { failed } = this.instances;
    const { unread } = this.toWorld;
    const count = this.problems.length + violations.length + failed.size + unread.size + misfits.size;
    if (count === 0) return;
    const found = new Map<string, SharedProblem>();
    const note = (problem: SharedProblem) =>
      found.set(`${problem.code} ${problem.entities.join()} ${problem.message}`, problem);
    const about = new Set([...this.problems, ...violations].flatMap(({ entities }) => entities));
    const entries: PatchEntry[] = [];
    for (const entity of about) {
      const id = this.shared.nodeOf(entity);
      if (id !== undefined && world.isAlive(entity))
        entries.push({ op: "set", id, tree: tree.name, name: tree.nameOf(entity) ?? null });
    }
    for (const violation of violations) if (!violation.isApplied) note(problemOf(violation));
    for (const violation of this.shared.apply(entries)) note(problemOf(violation));
    for (const [id, keys] of misfits) {
      const entity = ids.entityOf(id);
      if (entity === undefined || !document.has(id)) continue;
      for (const message of keys.values()) note({ code: "ecs/invalid-value", entities: [entity], message });
    }
    for (const [at, { id, key, text, error }] of unread) {
      const entity = ids.entityOf(id);
      // Nodes that come back are read again.
      if (entity === undefined || !document.has(id) || document.nodes.get(id)?.data[key] !== text) {
        unread.delete(at);
        continue;
      }
      const message = `The codec of ${key} cannot read the value in the document: ${reasonOf(error)}`;
      note({ code: "ecs/invalid-value", entities: [entity], message });
    }
    for (const { root, error } of failed.values()) {
      const entity = ids.entityOf(root);
      const code = (error as { code?: string }).code ?? "scene/invalid-prefab";
      note({ code, entities: entity === undefined ? [] : [entity], message: reasonOf(error) });
    }
    this.problems = [...found.values()];
  }

  /** The existing entity of the scene that corresponds to a node before they are linked. */
  private counterpart(id: NodeId): Entity | undefined {
    const { parts, scene, sceneIds, tree } = this.shared;
    const part = parts.partOf(id);
    if (part === undefined) return scene.find(sceneIds.of(id));
    const root = this.shared.entityOf(part.root);
    if (root === undefined) return undefined;
    const instance = instanceOf(tree, root);
    return instance?.root === root ? instance.find(part.part) : undefined;
  }

  private sceneEntities(): Entity[] {
    const { scene, tree } = this.shared;
    return scene.roots().flatMap((root) => [...tree.descendants(root, { includeSelf: true })]);
  }

  close(): void {
    this.shared.stream.close();
    this.shared.document.close();
  }
}

function problemOf({ rule, entities, reason }: Violation): SharedProblem {
  return { code: rule, entities, message: reason };
}
