/**
 * What steps did outside of the world, in a scene that others edit too. The state of such a scene has no mark to know it by: what counts
 * is how many own steps can be undone.
 */

/** What a step did outside of the world. */
export interface StepEffect {
  readonly undo: () => void;
  readonly redo: () => void;
}

export class SharedEffects {
  /** In the order of their steps, each with the number of steps once it was done. */
  private list: { readonly count: number; readonly effect: StepEffect }[] = [];

  /** Of the last step. */
  add(count: number, effect: StepEffect): void {
    this.list.push({ count, effect });
  }

  /** A step came, so that there are so many now: those that were undone before cannot be redone. */
  edited(count: number): void {
    this.list = this.list.filter((one) => one.count < count);
  }

  /** Steps were undone or redone. Whether one of them had an effect. */
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
