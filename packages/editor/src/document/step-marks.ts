/**
 * Which position of a history is the saved one.
 *
 * The number of steps alone does not tell: undo and another edit lead to the same number with other contents. So every
 * state that a step leads to has a mark of its own, which undo and redo carry along.
 */
export class StepMarks {
  private done: number[] = [];
  private undone: number[] = [];
  private next = 1;
  private saved = 0;

  /** After an edit: there are now so many steps that can be undone. */
  edited(count: number): void {
    this.undone = [];
    // Joined into the last step, or one more; old ones may have been given up.
    if (count > this.done.length) this.done.push(this.next++);
    else this.done = [...this.done.slice(this.done.length - count, -1), this.next++];
  }

  /** The state changed, and not by steps of this history alone: other people edit it too. */
  moved(): void {
    this.done = [this.next++];
    this.undone = [];
  }

  /** Another history begins here, with as much saved as there is. */
  restart(): void {
    const { isDirty } = this;
    this.done = [];
    this.undone = [];
    this.saved = isDirty ? -1 : 0;
  }

  undid(): void {
    const mark = this.done.pop();
    if (mark !== undefined) this.undone.push(mark);
  }

  redid(): void {
    const mark = this.undone.pop();
    if (mark !== undefined) this.done.push(mark);
  }

  /** What is in the file is the present state, or the one of the mark given: edits may go on while a file is written. */
  save(mark = this.current): void {
    this.saved = mark;
  }

  /** The present state is in no file: restored work, for example. */
  touchUnsaved(): void {
    this.saved = -1;
  }

  get isDirty(): boolean {
    return this.saved !== this.current;
  }

  /** The mark of the present state; 0 at the start. */
  get current(): number {
    return this.done.at(-1) ?? 0;
  }
}
