/**
 * What steps did outside of the world, in a scene that others edit too. States of such a scene have no marks, so effects are
 * found by the number of own steps that can be undone.
 */

/** What a step did outside of the world. */
export interface StepEffect {
  readonly undo: () => void;
  readonly redo: () => void;
}

export class SharedEffects {
  /** In the order of their steps, each with the number of steps after it. */
  private list: { readonly count: number; readonly effect: StepEffect }[] = [];

  /** Adds an effect of the last step. */
  add(count: number, effect: StepEffect): void {
    this.list.push({ count, effect });
  }

  /** A step was added, which makes `count`: steps undone before can no longer be redone. */
  edited(count: number): void {
    this.list = this.list.filter((one) => one.count < count);
  }

  /** Runs the effects of steps that were undone or redone. Returns whether there were any. */
  moved(before: number, after: number): boolean {
    const between = this.list.filter(
      ({ count }) => count > Math.min(before, after) && count <= Math.max(before, after),
    );
    if (after > before) for (const { effect } of between) effect.redo();
    else for (const { effect } of between.reverse()) effect.undo();
    return between.length > 0;
  }

  clear(): void {
    this.list = [];
  }
}
