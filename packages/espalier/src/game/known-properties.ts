/**
 * Objects that take no properties but those of their class.
 */

/** What such a class says about a property that it does not have. */
interface Refusing {
  refuseUnknown(property: string): never;
}

/**
 * Base of a class whose objects refuse, by `refuseUnknown`, that a property is written which the class does not have. What
 * refuses is the last prototype, so that properties which exist are found before it and cost what they cost in any class.
 */
export const KnownProperties: new () => object = /* @__PURE__ */ createBase();

function createBase(): new () => object {
  function base(): void {}
  base.prototype = new Proxy(
    {},
    {
      set: (_target, key, _value, object: Refusing) => object.refuseUnknown(String(key)),
    },
  );
  return base as unknown as new () => object;
}
