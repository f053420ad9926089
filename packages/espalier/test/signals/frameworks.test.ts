/**
 * What the guide shows for Solid, Vue and Svelte, run with these libraries.
 */

import { component, f32 } from "espalier";
import { componentSignal, createSignals } from "espalier/signals";
import type * as Solid from "solid-js";
// In Node the name alone gives the build for servers, where nothing ever changes.
// @ts-expect-error: only the name alone has types.
import * as browserSolid from "solid-js/dist/solid.js";
import * as svelte from "svelte/store";
import { describe, expect, it } from "vitest";
import * as vue from "vue";
import { strictWorld } from "../testing.ts";

const solid = browserSolid as typeof Solid;
const Health = component("Health", { hp: f32(100) });
type Value = { readonly hp: number } | undefined;

function setUp() {
  const world = strictWorld();
  const signals = createSignals(world, { schedule: "manual", frame: "manual" });
  const tank = world.spawn(Health);
  const signal = componentSignal(signals, tank, Health);
  const listeners = new Set<object>();
  const health = {
    get: () => signal.get(),
    subscribe(listener: (value: Value) => void) {
      const end = signal.subscribe(listener);
      listeners.add(end);
      return () => {
        listeners.delete(end);
        end();
      };
    },
  };
  const hit = (hp: number) => {
    world.set(tank, Health, { hp });
    signals.flush();
  };
  return { world, signals, tank, health, hit, listeners };
}

describe("a signal in Solid", () => {
  it("is a value of from(), which effects follow until the root is disposed of", () => {
    const { createRoot, createEffect, from } = solid;
    const { health, hit, world, signals, tank, listeners } = setUp();
    const seen: (number | undefined)[] = [];
    const dispose = createRoot((end) => {
      const value = from<Value>((set) => {
        set(health.get());
        return health.subscribe(set);
      });
      createEffect(() => void seen.push(value()?.hp));
      return end;
    });
    hit(60);
    hit(60);
    world.destroy(tank);
    signals.flush();
    expect(seen).toEqual([100, 60, undefined]);
    dispose();
    expect(listeners.size).toBe(0);
  });
});

describe("a signal in Vue", () => {
  it("is a shallowRef, which effects follow until the scope is stopped", () => {
    const { effectScope, effect, onScopeDispose, shallowRef } = vue;
    const { health, hit, listeners } = setUp();
    const seen: (number | undefined)[] = [];
    const scope = effectScope();
    scope.run(() => {
      const value = shallowRef<Value>(health.get());
      onScopeDispose(
        health.subscribe((now) => {
          value.value = now;
        }),
      );
      effect(() => void seen.push(value.value?.hp));
    });
    hit(60);
    hit(60);
    expect(seen).toEqual([100, 60]);
    scope.stop();
    hit(10);
    expect(seen).toEqual([100, 60]);
    expect(listeners.size).toBe(0);
  });
});

describe("a signal in Svelte", () => {
  it("is a store, which derived stores and components follow until they unsubscribe", () => {
    const { derived, get } = svelte;
    const { health, hit, listeners } = setUp();
    const store: svelte.Readable<Value> = {
      subscribe(run) {
        run(health.get());
        return health.subscribe(run);
      },
    };
    const percent = derived(store, (value) => `${value?.hp ?? 0} %`);
    const seen: string[] = [];
    const end = percent.subscribe((text) => void seen.push(text));
    hit(60);
    hit(60);
    expect(seen).toEqual(["100 %", "60 %"]);
    end();
    hit(10);
    expect(get(percent)).toBe("10 %");
    expect(listeners.size).toBe(0);
  });
});
