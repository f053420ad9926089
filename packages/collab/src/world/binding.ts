/**
 * Keeps a scene in a world and a shared document the same.
 */
import type { Entity } from "espalier";
import { applyPatch, HistoryBusyError, type PatchEntry, type Violation } from "espalier/history";
import { instanceOf, type Scene } from "espalier/scene";
import { KEPT, NAME, PREFAB } from "../document/keys.ts";
import type { NodeId, SharedDocument } from "../document/shared-document.ts";
import { Instances } from "./instances.ts";
import { type SharedSceneOptions, SharedWorld } from "./shared-world.ts";
import { DocumentWriter } from "./write-document.ts";
import { WorldWriter } from "./write-world.ts";

/** Something that was merged, but is not as the rules of this world want it. */
export interface SharedProblem {
  /** The code of the error that the same edit would throw here: `"hierarchy/duplicate-name"`, the name of a rule, `"scene/…"`. */
  readonly code: string;
  /** What it is about. */
  readonly entities: readonly Entity[];
  /** Why, in words. */
  readonly message: string;
}

export class Binding {
  readonly shared: SharedWorld;
  problems: readonly SharedProblem[] = [];
  private readonly instances: Instances;
  private readonly toDocument: DocumentWriter;
  private readonly toWorld: WorldWriter;

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

  /** Makes the scene what the document says. Entities keep their identity by their ids in the scene's file. */
  adopt(): void {
    const { document, ids, world } = this.shared;
    const former = this.sceneEntities();
    for (const { id } of document.preOrder()) {
      const entity = this.counterpart(id);
      if (entity !== undefined && ids.keyOf(entity) === undefined) ids.set(id, entity);
    }
    const keys = new Map<NodeId, ReadonlySet<string>>();
    const all = new Set([...this.shared.schema.components.map(({ name }) => `+${name}`), NAME, PREFAB, KEPT]);
    for (const id of document.ids()) if (ids.entityOf(id) !== undefined) keys.set(id, all);
    const violations = this.toWorld.write(new Set(document.ids()), keys);
    for (const entity of former)
      if (world.isAlive(entity) && ids.keyOf(entity) === undefined) world.destroy(entity);
    document.settle();
    this.finish(violations);
  }

  /** Writes what this program changed into the document. Whether anything did. */
  flush(): boolean {
    const isChanged = this.toDocument.write();
    if (isChanged) this.shared.document.commit();
    if (isChanged || this.toDocument.reshaped.size > 0) this.settle([]);
    return isChanged;
  }

  /** Brings the world to what others changed. Whether that was possible: not inside of a step that is open. */
  receive(): boolean {
    const { document } = this.shared;
    if (!document.hasPending) return true;
    const { placed, keys } = document.pending;
    let violations: readonly Violation[];
    try {
      violations = this.toWorld.write(placed, keys);
    } catch (error) {
      if (error instanceof HistoryBusyError) return false;
      throw error;
    }
    document.settle();
    this.finish(violations);
    return true;
  }

  /** Tries instances again that could not be made. */
  retry(): void {
    this.flush();
    this.receive();
    const violations = this.toWorld.retry();
    if (violations !== undefined) this.finish(violations);
  }

  /** What the world did in answer, and what came from the document itself. */
  private finish(violations: readonly Violation[]): void {
    if (this.toDocument.write()) this.shared.document.commit();
    this.settle(violations);
  }

  private settle(violations: readonly Violation[]): void {
    this.settleIds([...violations, ...this.settleParts()]);
  }

  /** Where own edits made another node a part of an instance than this world has, the instance is made anew, as it is for all others. */
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

  /** Not inside of a loop over a query, or of an observer. */
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
      this.apply(entries);
      if (entries.length > 0) this.toDocument.write();
      for (const id of settled) renamed.delete(id);
      this.updateProblems(violations);
    } catch (error) {
      // Inside of a step that is open: the next time.
      if (!(error instanceof HistoryBusyError)) throw error;
    }
  }

  /** Rules that were broken are asked again: the problem may be solved. */
  updateProblems(violations: readonly Violation[] = []): void {
    const { tree, world, ids } = this.shared;
    const { misfits } = this.shared.document;
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
    for (const violation of this.apply(entries)) note(problemOf(violation));
    for (const [id, keys] of misfits) {
      const entity = ids.entityOf(id);
      if (entity === undefined || !this.shared.document.has(id)) continue;
      for (const message of keys.values()) note({ code: "ecs/invalid-value", entities: [entity], message });
    }
    for (const { root, error } of [...failed.values(), ...unread.values()]) {
      const entity = ids.entityOf(root);
      const code = (error as { code?: string }).code ?? "scene/invalid-prefab";
      const message = error instanceof Error ? error.message : String(error);
      note({ code, entities: entity === undefined ? [] : [entity], message });
    }
    this.problems = [...found.values()];
  }

  private apply(entries: readonly PatchEntry[]): readonly Violation[] {
    if (entries.length === 0) return [];
    const { world, tree, components, ids } = this.shared;
    return applyPatch(world, entries, { trees: [tree], components, ids, rules: "report" }).violations;
  }

  /** The entity of the scene that a node stands for, before they were ever the same. */
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
