/**
 * The prototype of views, which they keep while its accessors change. A callback that sees views of two prototypes costs 43 ns for
 * three fields in JavaScriptCore, one that sees a single one 2.
 */
import type { Accessors } from "./component-code.ts";

/** A cursor over one component: `index$` is moved along, the fields read and write the columns. */
export interface View {
  index$: number;
  /** For values that have slots: these by index, and the one of `index$`. Code that moves the view looks it up once, not for every field. */
  readonly slots$: Int32Array | undefined;
  slot$: number;
}

export class ViewPrototype {
  private readonly prototype: object;
  /** What accessors were generated for; nothing as long as none were. */
  private generatedFor: unknown;

  constructor(base: object, accessors: Accessors) {
    this.prototype = Object.create(base, accessors) as object;
  }

  /** Replaces the accessors by those that `make` generates for `what`, if it has them for something else. */
  refresh(what: unknown, generate: boolean, make: () => Accessors): void {
    if (what === this.generatedFor || (!generate && this.generatedFor === undefined)) return;
    this.generatedFor = what;
    Object.defineProperties(this.prototype, make());
  }

  /** Without a class: JavaScriptCore takes all classes that one piece of code makes for one, and is 20 times as slow then. */
  create(slots: Int32Array | undefined): View {
    return Object.assign(Object.create(this.prototype) as object, { index$: 0, slot$: 0, slots$: slots });
  }
}
