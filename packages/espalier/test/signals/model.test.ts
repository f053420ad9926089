/** Signals beside direct reads: their values are right at any time, and their listeners are called exactly when the answer changed. */
import { any, component, type Entity, f32, not } from "espalier";
import { ancestorHas } from "espalier/hierarchy";
import { createInherited, visibility } from "espalier/inherit";
import {
  childrenSignal,
  componentSignal,
  createSignals,
  hasSignal,
  historySignal,
  inheritedSignal,
  parentSignal,
  querySignal,
  type Signal,
  worldTransformSignal,
} from "espalier/signals";
import { createTransforms2D, Transform2D, type Transforms2D } from "espalier/transform";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createEdited, someEdit } from "../random-edits.ts";
import { property } from "../testing.ts";

const Paint = component("Paint", { color: f32(1) });

function stage() {
  let space!: Transforms2D;
  const edited = createEdited((tree) => {
    space = createTransforms2D(tree);
    const { world } = tree;
    return {
      place: (entity, x, y) => space.setPosition(entity, x, y),
      turn: (entity, angle) => space.setRotation(entity, angle),
      scale: (entity, factor) => space.setScale(entity, factor),
      spawn: (parent, x, y) => tree.attachNew(parent, space.at(x, y), ...(x > 0 ? [Paint] : [])),
      dress: (entity, isDressed) => {
        if (isDressed) world.add(entity, Paint({ color: entity % 7 }));
        else world.remove(entity, Paint);
      },
    };
  });
  return { ...edited, space };
}

describe("signals", () => {
  it("agree with direct reads, and notify exactly when the value changed", () => {
    property(
      fc.array(someEdit("flush", "watch", "leave", "throw"), { minLength: 5, maxLength: 80 }),
      (edits) => {
        const { world, tree, space, history, some, apply } = stage();
        const visible = createInherited(tree, visibility);
        const signals = createSignals(world, { schedule: "manual", frame: "manual" });
        /** Makes a signal, and what it must give. Lists of queries are compared as sets: their order is that of the storage. */
        const makers: ((entity: Entity) => readonly [Signal<unknown>, () => unknown])[] = [
          (e) => [
            componentSignal(signals, e, Paint),
            () => (world.isAlive(e) ? world.get(e, Paint) : undefined),
          ],
          (e) => [
            hasSignal(signals, e, Paint, Transform2D),
            () => world.isAlive(e) && world.has(e, Paint, Transform2D),
          ],
          (e) => [childrenSignal(signals, tree, e), () => (world.isAlive(e) ? tree.childrenOf(e) : [])],
          () => [childrenSignal(signals, tree, null), () => tree.childrenOf(null)],
          (e) => [parentSignal(signals, tree, e), () => (world.isAlive(e) ? tree.parentOf(e) : null)],
          (e) => [
            worldTransformSignal(signals, space, e),
            () => (world.isAlive(e) ? space.worldOf(e) : undefined),
          ],
          (e) => [inheritedSignal(signals, visible, e), () => (world.isAlive(e) ? visible.of(e) : undefined)],
          () => [querySignal(signals, Paint), () => world.query(Paint).ids()],
          () => [querySignal(signals, not(Paint)), () => world.query(not(Paint)).ids()],
          () => [
            querySignal(signals, Transform2D, ancestorHas(tree, Paint)),
            () => world.query(Transform2D, ancestorHas(tree, Paint)).ids(),
          ],
          () => [
            querySignal(signals, any(Paint, Transform2D)),
            () => world.query(any(Paint, Transform2D)).ids(),
          ],
          () => [
            historySignal(signals, history),
            () => ({
              canUndo: history.canUndo,
              canRedo: history.canRedo,
              undoLabels: history.undoLabels,
              redoLabels: history.redoLabels,
            }),
          ],
        ];
        const watched: {
          readonly signal: Signal<unknown>;
          readonly read: () => unknown;
          readonly end: () => void;
          known: string;
          calls: number;
          /** Another value was read since the last flush: whoever read it must hear of the end of it. */
          wasOther: boolean;
        }[] = [];
        const keyOf = (value: unknown, isQuery: boolean) =>
          JSON.stringify(isQuery ? [...(value as number[])].sort() : value) ?? "undefined";
        const isQuery = new Map<Signal<unknown>, boolean>();
        const failing = signals.derive(() => {
          if (isFailing) throw new Error("bang");
          return 1;
        });
        let isFailing = false;
        failing.subscribe(() => {});
        const flush = () => {
          for (const each of watched) each.calls = 0;
          try {
            signals.flush();
          } catch (error) {
            expect((error as Error).message).toBe("bang");
          }
          isFailing = false;
          for (const each of watched) {
            const now = keyOf(each.read(), isQuery.get(each.signal) === true);
            const didChange = now !== each.known;
            each.known = now;
            expect(keyOf(each.signal.get(), isQuery.get(each.signal) === true)).toBe(now);
            // The order of a query may change without its members: that is told or not.
            if (didChange) expect([each.calls, now]).toEqual([1, now]);
            else if (isQuery.get(each.signal) !== true && !each.wasOther)
              expect([each.calls, now]).toEqual([0, now]);
            each.wasOther = false;
          }
        };
        for (const edit of edits) {
          const { kind, a, b } = edit;
          if (kind === "flush") flush();
          else if (kind === "throw") isFailing = true;
          else if (kind === "watch") {
            const entity = some(a);
            if (entity === undefined) continue;
            const [signal, read] = (makers[b % makers.length] as (typeof makers)[number])(entity);
            isQuery.set(signal, b % makers.length >= 7 && b % makers.length <= 10);
            const each = {
              signal,
              read,
              calls: 0,
              wasOther: false,
              known: keyOf(read(), isQuery.get(signal) === true),
              end: signal.subscribe(() => void each.calls++),
            };
            watched.push(each);
          } else if (kind === "leave") {
            const [each] = watched.splice(a % Math.max(1, watched.length), 1);
            each?.end();
          } else apply({ ...edit, kind });
          if (edit.x % 2 !== 0) continue;
          for (const each of watched) {
            const now = keyOf(each.signal.get(), isQuery.get(each.signal) === true);
            expect(now).toBe(keyOf(each.read(), isQuery.get(each.signal) === true));
            each.wasOther ||= now !== each.known;
          }
        }
        flush();
        for (const { end } of watched) end();
      },
      60,
    );
  });
});
