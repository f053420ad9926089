/**
 * Edits of the file that wait: a batch that sets values of a thousand entities reads its scene once, not a thousand times.
 *
 * The result of a batch stays the same. An edit waits only if it does not depend on edits that are already waiting: no entity is edited
 * twice, and nothing is created that one of them names. If the scene does not load in the end, the steps are run again one by
 * one, so that the error is about the right one.
 */
import type { SceneFile } from "../scene/index.ts";
import { splitId } from "./changes/file-entities.ts";
import { stepsOf } from "./targets.ts";

/** An edit of the content of the file about one entity. */
export interface FileEdit {
  /** The entity; for one inside an instance, the id including that of the instance. */
  readonly id: string;
  /** Whether the edit creates it. */
  readonly isNew: boolean;
  /** Names of the created entities in paths; `undefined` if unknown, as for the parts of an instance. */
  readonly names?: readonly string[];
  /** Values that may name other entities. */
  readonly mentions: unknown;
  /** Returns the file with the edit applied. */
  readonly make: (file: SceneFile) => SceneFile;
}

export class WaitingEdits {
  private readonly current: () => SceneFile;
  private readonly reload: (file: SceneFile) => void;
  private readonly redo: ((step: number) => void) | undefined;
  private file: SceneFile | undefined;
  private readonly steps: number[] = [];
  private readonly edited = new Set<string>();
  private readonly created = new Set<string>();
  private readonly mentioned = new Set<string>();
  /** Names of the created entities in paths; `undefined` for anything. */
  private names: Set<string> | undefined = new Set();
  private isRedoing = false;
  /** The current step. */
  step = 0;

  /**
   * @param current - The file of the scene.
   * @param redo - Runs a step again; `undefined` if there is only one.
   */
  constructor(
    current: () => SceneFile,
    reload: (file: SceneFile) => void,
    redo: ((step: number) => void) | undefined,
  ) {
    this.current = current;
    this.reload = reload;
    this.redo = redo;
  }

  /** Whether a waiting edit creates an entity with this id. */
  creates(id: string): boolean {
    return this.created.has(id);
  }

  /** Whether a waiting edit is about this entity, or about the instance that it is in. */
  edits(id: string): boolean {
    return this.edited.has(splitId(id)[0]);
  }

  /** Whether a path may resolve differently, or be refused, after the waiting edits. */
  mayTurn(path: string): boolean {
    const { created, names } = this;
    if (created.size === 0) return false;
    // A path without the name of a created entity is not affected, unless it has wildcards or goes up again.
    return (
      names === undefined ||
      stepsOf(path)?.every((step) => step.kind === "name" && !names.has(step.name)) !== true
    );
  }

  /** The file with all waiting edits applied. */
  latest(): SceneFile {
    return this.file ?? this.current();
  }

  add({ id, isNew, names, mentions, make }: FileEdit): void {
    const [owner] = splitId(id);
    if (this.edited.has(owner) || (isNew && this.mentioned.has(owner))) this.finish();
    this.file = make(this.latest());
    this.steps.push(this.step);
    this.edited.add(owner);
    if (isNew) {
      this.created.add(owner);
      if (names === undefined) this.names = undefined;
      else for (const name of names) this.names?.add(name);
    }
    collectTexts(mentions, this.mentioned);
    if (this.isRedoing) this.finish();
  }

  /** Applies all waiting edits. @throws SceneError when the scene does not load; the error of the step if there are several. */
  finish(): void {
    const { file } = this;
    if (file === undefined) return;
    const steps = [...this.steps];
    this.forget();
    try {
      this.reload(file);
    } catch (error) {
      if (this.redo === undefined || this.isRedoing) throw error;
      this.isRedoing = true;
      for (const step of steps) this.redo(step);
      this.isRedoing = false;
    }
  }

  private forget(): void {
    this.file = undefined;
    this.steps.length = 0;
    this.edited.clear();
    this.created.clear();
    this.mentioned.clear();
    this.names = new Set();
  }
}

/** All strings inside a value, as ids: for `tank/turret` also the instance. */
function collectTexts(value: unknown, texts: Set<string>): void {
  const stack: unknown[] = [value];
  for (let at = stack.pop(); stack.length > 0 || at !== undefined; at = stack.pop()) {
    if (typeof at === "string") texts.add(at).add(splitId(at)[0]);
    else if (typeof at === "object" && at !== null) {
      for (const part of Object.values(at)) stack.push(part ?? null);
    }
  }
}
