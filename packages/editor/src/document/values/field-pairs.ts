/**
 * Fields that are shown as a pair: `anchorX` with `anchorY`, `x` with `y`.
 */
import { type FieldState, isShownAsNumber } from "./field-values.ts";
import { isAngle } from "./number-style.ts";

/** The common part of the names of a pair: `anchor` for `anchorX`, an empty string for `x`. */
export function stemOf(name: string): string {
  return name.slice(0, -1);
}

/** The fields in order, those of a pair together. Fields with three axes are not paired. */
export function pairsOf<State extends FieldState>(
  states: readonly State[],
): (State | readonly [x: State, y: State])[] {
  const names = new Set(states.map(({ name }) => name));
  const rows: (State | readonly [x: State, y: State])[] = [];
  for (let k = 0; k < states.length; k++) {
    const state = states[k] as State;
    const next = states[k + 1];
    if (next !== undefined && isPair(state, next) && !names.has(axisOf(state.name, "z"))) {
      rows.push([state, next]);
      k++;
    } else rows.push(state);
  }
  return rows;
}

function isPair(a: FieldState, b: FieldState): boolean {
  if (!/(^x|[a-z0-9]X)$/.test(a.name) || b.name !== axisOf(a.name, "y")) return false;
  if (isAngle(stemOf(a.name))) return false;
  const isFlag = ({ value }: FieldState) => typeof value === "boolean";
  return (isShownAsNumber(a) && isShownAsNumber(b)) || (isFlag(a) && isFlag(b));
}

/** The name of the same field along another axis. */
function axisOf(name: string, axis: "y" | "z"): string {
  return stemOf(name) + (name === "x" ? axis : axis.toUpperCase());
}
