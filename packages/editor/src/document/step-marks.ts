/**
 * Which position in a history is the saved one.
 *
 * The number of steps alone is not enough: undo and another edit lead to the same number with other contents. So every
 * state that a step leads to has a mark of its own, which undo and redo carry along.
 */
export class StepMarks {
  private done: number[] = [];
  private undone: number[] = [];
  private next = 1;
  private saved = 0;

  /** After an edit: `count` steps can be undone now. */
  edited(count: number): void {
    this.undone = [];
    // The edit was merged into the last step or added one; old steps may have been dropped.
    if (count > this.done.length) this.done.push(this.next++);
    else this.done = [...this.done.slice(this.done.length - count, -1), this.next++];
  }

  /** The state changed, possibly by edits of others, which are not steps of this history. */
  moved(): void {
    this.done = [this.next++];
    this.undone = [];
  }

  /** Another history begins here; whether the state is saved does not change. */
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

  /** The file holds the current state, or that of the given mark: edits may go on while a file is written. */
  save(mark = this.current): void {
    this.saved = mark;
  }

  /** The current state is in no file: restored work, for example. */
  touchUnsaved(): void {
    this.saved = -1;
  }

  get isDirty(): boolean {
    return this.saved !== this.current;
  }

  /** The mark of the current state; 0 at the start. */
  get current(): number {
    return this.done.at(-1) ?? 0;
  }
}
