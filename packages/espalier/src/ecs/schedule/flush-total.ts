/**
 * What became of the commands of several flushes.
 */
import type { FlushResult, RefusedCommand, SkippedCommand } from "../commands/flush.ts";

export class FlushTotal implements FlushResult {
  applied = 0;
  readonly skipped: SkippedCommand[] = [];
  readonly refused: RefusedCommand[] = [];

  add(result: FlushResult): void {
    this.applied += result.applied;
    for (const skipped of result.skipped) this.skipped.push(skipped);
    for (const refused of result.refused) this.refused.push(refused);
  }
}
