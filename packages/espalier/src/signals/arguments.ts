/**
 * Checks of arguments when a signal is made: it is read much later, far from the mistake.
 */
import { type ArgumentTest, type ExpectedArgument, expectArguments, isComponent } from "../ecs/index.ts";

/** An object recognised by its methods. */
const withCall = (call: string, expected: string): ArgumentTest => ({
  expected,
  fits: (value) => typeof (Object(value) as { readonly [call: string]: unknown })[call] === "function",
});

const signals = /* @__PURE__ */ withCall("derive", "signals. Pass what createSignals() returned");

/** A hierarchy with children. */
export const aTree: ArgumentTest = /* @__PURE__ */ withCall(
  "childrenOf",
  "a hierarchy. Pass what createHierarchy() returned",
);

/** A space in 2D or 3D. */
export const aSpace: ArgumentTest = /* @__PURE__ */ withCall(
  "worldOf",
  "a space. Pass what createTransforms2D() returned",
);

/** An inherited value. */
export const anInherited: ArgumentTest = /* @__PURE__ */ withCall(
  "of",
  "an inherited value. Pass what createInherited() returned",
);

/** A history. */
export const aHistory: ArgumentTest = /* @__PURE__ */ withCall(
  "undo",
  "a history. Pass what createHistory() returned",
);

/** A component. */
export const aComponent: ArgumentTest = {
  expected: "a component. Pass what component() or tag() returned",
  fits: isComponent,
};

/** A resource. */
export const aResource: ArgumentTest = {
  expected: "a resource. Pass what resource() returned",
  fits: (value) => (Object(value) as { readonly isResource?: unknown }).isResource === true,
};

/** @throws InvalidArgumentError */
export function expectSignals(given: unknown, ...others: readonly ExpectedArgument[]): void {
  expectArguments("make a signal", ["the first argument", given, signals], ...others);
}
