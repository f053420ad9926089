/**
 * Free-form values of one entity as an object: every write goes through the world, so that history, change readers and
 * files see it.
 */
import { type Entity, Props, type World } from "../ecs/index.ts";

/** @param owner - Returns the entity, or throws when it was destroyed. */
export function createProps(world: World, owner: () => Entity): Record<string, unknown> {
  const values = () => world.get(owner(), Props)?.values ?? {};
  const write = (next: Record<string, unknown>) => {
    const entity = owner();
    if (world.has(entity, Props)) world.set(entity, Props, { values: next });
    else world.add(entity, Props({ values: next }));
  };
  return new Proxy<Record<string, unknown>>(
    {},
    {
      get: (_, key) => {
        const all = values();
        return typeof key === "string" && Object.hasOwn(all, key) ? all[key] : undefined;
      },
      has: (_, key) => Object.hasOwn(values(), key),
      ownKeys: () => Object.keys(values()),
      getOwnPropertyDescriptor: (_, key) => {
        const all = values();
        if (typeof key !== "string" || !Object.hasOwn(all, key)) return undefined;
        return { value: all[key], writable: true, enumerable: true, configurable: true };
      },
      set: (_, key, value) => {
        if (typeof key !== "string") return false;
        write({ ...values(), [key]: value });
        return true;
      },
      // Otherwise these would change an object that nothing reads.
      defineProperty: (_, key, { value, writable, enumerable, configurable }) => {
        owner();
        if (typeof key !== "string" || !(writable && enumerable && configurable)) return false;
        write({ ...values(), [key]: value });
        return true;
      },
      preventExtensions: () => false,
      setPrototypeOf: () => false,
      deleteProperty: (_, key) => {
        const all = values();
        if (typeof key !== "string" || !Object.hasOwn(all, key)) return true;
        const { [key]: _gone, ...rest } = all;
        write(rest);
        return true;
      },
    },
  );
}
