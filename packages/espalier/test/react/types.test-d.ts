import { bool, component, type Entity, f32, resource, tag } from "espalier";
import {
  useChildren,
  useComponent,
  useHas,
  useHistory,
  useQuery,
  useResource,
  useWorldTransform,
} from "espalier/react";
import { componentSignal, type Signal, type Signals, worldTransformSignal } from "espalier/signals";
import type { Affine2D, Transforms2D, Transforms3D } from "espalier/transform";
import { describe, expectTypeOf, it } from "vitest";

const Health = component("Health", { hp: f32(100), armored: bool() });
const Frozen = tag("Frozen");
const Score = resource("Score", () => ({ points: 0 }));
declare const entity: Entity;
declare const signals: Signals;
declare const plane: Transforms2D;
declare const space: Transforms3D;

describe("hooks", () => {
  it("give the types of what they ask for", () => {
    expectTypeOf(() => useComponent(entity, Health)).returns.toEqualTypeOf<
      { hp: number; armored: boolean } | undefined
    >();
    expectTypeOf(() => useQuery(Health)).returns.toEqualTypeOf<readonly Entity[]>();
    expectTypeOf(() => useHas(null, Frozen)).returns.toEqualTypeOf<boolean>();
    expectTypeOf(() => useChildren(null)).returns.toEqualTypeOf<readonly Entity[]>();
    expectTypeOf(() => useResource(Score)).returns.toEqualTypeOf<{ points: number }>();
    expectTypeOf(() => useWorldTransform(entity, plane)).returns.toEqualTypeOf<Affine2D | undefined>();
    expectTypeOf(() => useWorldTransform(entity, space)).returns.toEqualTypeOf<Float64Array | undefined>();
    expectTypeOf(() => useHistory().undo).returns.toEqualTypeOf<() => boolean>();
    // @ts-expect-error a number is not an entity
    expectTypeOf(() => useComponent(5, Health)).toBeFunction();
  });
});

describe("signals", () => {
  it("give the types of what they watch", () => {
    expectTypeOf(componentSignal(signals, entity, Health)).toEqualTypeOf<
      Signal<{ hp: number; armored: boolean } | undefined>
    >();
    expectTypeOf(worldTransformSignal(signals, plane, entity)).toEqualTypeOf<Signal<Affine2D | undefined>>();
  });
});
