/**
 * Signals that cancel loading: that of the caller, and that of a stopping game.
 */
import type { ArgumentTest } from "../../ecs/index.ts";

/** Combines several signals into one. `release` stops listening to them. */
export function anyAborted(...given: readonly (AbortSignal | undefined)[]): {
  readonly signal: AbortSignal;
  release(): void;
} {
  const cancel = new AbortController();
  const abort = () => cancel.abort();
  for (const signal of given) {
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort, { once: true });
  }
  return {
    signal: cancel.signal,
    release() {
      for (const signal of given) signal?.removeEventListener("abort", abort);
    },
  };
}

export const aSignal: ArgumentTest = {
  expected: "an AbortSignal",
  fits: (value) => typeof (Object(value) as Partial<AbortSignal>).addEventListener === "function",
};
