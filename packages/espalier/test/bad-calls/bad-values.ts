/** Whatever may be passed where something else is expected. Each is made anew, because a call may change or keep it. */
import type { Entity } from "espalier";

export interface Handles {
  readonly dead: Entity;
  /** Of another world, where it is alive; in this one the index was never used. */
  readonly foreign: Entity;
}

export const badValues: { readonly [name: string]: (handles: Handles) => unknown } = {
  undefined: () => undefined,
  null: () => null,
  "a symbol": () => Symbol("bad"),
  "a big integer": () => 10n,
  "not a number": () => Number.NaN,
  "-1": () => -1,
  "a half": () => 0.5,
  "1e99": () => 1e99,
  true: () => true,
  "no text": () => "",
  text: () => "\u0000__proto__/..",
  "an object without a prototype": () => Object.create(null),
  "an empty object": () => ({}),
  "a function": () => () => undefined,
  "a frozen list": () => Object.freeze([]),
  "a list of nothing": () => Object.freeze([null, undefined, Symbol("inside"), 5n]),
  "an object that contains itself": () => {
    const self: { [key: string]: unknown } = {};
    self.self = self;
    self.children = [self];
    self.entities = [self];
    return self;
  },
  "a dead entity": ({ dead }) => dead,
  "an entity of another world": ({ foreign }) => foreign,
};
