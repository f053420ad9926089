/**
 * Objects that refuse properties that their class does not have.
 */

/** The handler of such a class for unknown properties. */
interface Refusing {
  refuseUnknown(property: string): never;
}

/**
 * Base of a class whose objects call `refuseUnknown` when an unknown property is written. The trap
 * is the last prototype, so that existing properties are found before it and cost the same as in any class.
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
