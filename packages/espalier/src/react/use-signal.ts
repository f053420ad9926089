/**
 * A signal inside a component.
 */
import { useState, useSyncExternalStore } from "react";
import { type ArgumentTest, expectArguments } from "../ecs/index.ts";
import type { Signal } from "../signals/index.ts";

const aSignal: ArgumentTest = {
  expected: "a signal of espalier/signals",
  fits: (value) => {
    const { get, subscribe } = Object(value) as Partial<Signal<unknown>>;
    return typeof get === "function" && typeof subscribe === "function";
  },
};

/** The value of a signal. Renders again when it changed, and only then. */
export function useSignal<Value>(signal: Signal<Value>): Value {
  expectArguments("use a signal", ["it", signal, aSignal]);
  return useSyncExternalStore(signal.subscribe, signal.get, signal.get);
}

/** The signal that `create` makes, recreated when one of `parts` changes. Lists may differ in length. */
export function useSignalOf<Value>(create: () => Signal<Value>, parts: readonly unknown[]): Value {
  // Only a cache: a discarded render leaves a signal without subscribers.
  const [cache] = useState<{ parts: readonly unknown[]; signal: Signal<Value> | undefined }>(() => ({
    parts: [],
    signal: undefined,
  }));
  let { signal } = cache;
  if (signal === undefined || !sameParts(cache.parts, parts)) {
    signal = bound(create());
    cache.signal = signal;
    cache.parts = parts;
  }
  return useSignal(signal);
}

/** React calls `subscribe` and `get` as plain functions, and subscribes again when they change. */
function bound<Value>(signal: Signal<Value>): Signal<Value> {
  return { get: () => signal.get(), subscribe: (listener) => signal.subscribe(listener) };
}

function sameParts(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((part, k) => Object.is(part, b[k]));
}
