/**
 * Edits of the file that wait: a batch that sets values of a thousand entities has its scene read once, not a thousand times.
 *
 * What a batch does stays the same. An edit waits only where the ones that wait already cannot matter to it: no entity is edited
 * twice, and nothing is created that one of them names. Where the scene does not load in the end, the steps are run again one by
 * one, so that the refusal is about the right one.
 */
import type { SceneFile } from "../scene/index.ts";
import { splitId } from "./changes/file-entities.ts";

/** An edit of what the file says about one entity. */
export interface FileEdit {
  /** The entity; of one inside an instance, the id with that of the instance. */
  readonly id: string;
  /** Whether the edit creates it. */
  readonly isNew: boolean;
  /** Values that may name other entities. */
  readonly mentions: unknown;
  /** The file with the edit made. */
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
  private isRedoing = false;
  /** The step that is being run. */
  step = 0;

  /**
   * @param current - The file of the scene.
   * @param redo - Runs a step again; nothing where there is only one.
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

  /** Whether an entity that waits has this id. */
  creates(id: string): boolean {
    return this.created.has(id);
  }

  /** Whether something that waits is about this entity, or about the instance that it is in. */
  edits(id: string): boolean {
    return this.edited.has(splitId(id)[0]);
  }

  get hasCreated(): boolean {
    return this.created.size > 0;
  }

  /** The file with everything that waits. */
  latest(): SceneFile {
    return this.file ?? this.current();
  }

  add({ id, isNew, mentions, make }: FileEdit): void {
    const [owner] = splitId(id);
    if (this.edited.has(owner) || (isNew && this.mentioned.has(owner))) this.finish();
    this.file = make(this.latest());
    this.steps.push(this.step);
    this.edited.add(owner);
    if (isNew) this.created.add(owner);
    collectTexts(mentions, this.mentioned);
    if (this.isRedoing) this.finish();
  }

  /** Makes everything that waits. @throws SceneError when the scene does not load; the error of the step where there are several. */
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
  }
}

/** All texts inside of a value, as ids: of `tank/turret` also the instance. */
function collectTexts(value: unknown, texts: Set<string>): void {
  const stack: unknown[] = [value];
  for (let at = stack.pop(); stack.length > 0 || at !== undefined; at = stack.pop()) {
    if (typeof at === "string") texts.add(at).add(splitId(at)[0]);
    else if (typeof at === "object" && at !== null) {
      for (const part of Object.values(at)) stack.push(part ?? null);
    }
  }
}
