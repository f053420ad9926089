/**
 * Data of which a world has one.
 */
import type { Resource } from "./components/component.ts";
import { describeValue } from "./components/fields.ts";
import { MissingResourceError } from "./errors.ts";
import type { Reversible } from "./listeners/hooks.ts";
import type { WorldState } from "./state.ts";

export function readResource<Value>(s: WorldState, resource: Resource<Value>): Value {
  s.requireUsable("read a resource");
  if (!s.resources.has(resource as Resource<unknown>)) {
    if (resource?.isResource !== true) {
      throw new MissingResourceError(
        `Cannot read ${describeValue(resource)}: it is not a resource. Define one with resource().`,
      );
    }
    if (resource.initial === undefined) {
      throw new MissingResourceError(
        `Cannot read resource ${resource.name}: it was never set. Call world.setResource() first, or define it with an initial value.`,
      );
    }
    s.resources.set(resource as Resource<unknown>, resource.initial());
  }
  return s.resources.get(resource as Resource<unknown>) as Value;
}

export function hasResource(s: WorldState, resource: Resource<never> | Resource<unknown>): boolean {
  return s.resources.has(resource as Resource<unknown>);
}

export function writeResource<Value>(s: WorldState, resource: Resource<Value>, value: Value): void {
  if (resource?.isResource !== true) {
    throw new MissingResourceError(
      `Cannot set ${describeValue(resource)}: it is not a resource. Define one with resource().`,
    );
  }
  put(s, resource as Resource<unknown>, true, value);
}

function put(s: WorldState, resource: Resource<unknown>, present: boolean, value: unknown): void {
  if (s.recorder.wanted) {
    const before = [resource, s.resources.has(resource), s.resources.get(resource)];
    s.recorder.room(reverserOf(s), null, 0, 0, before);
  }
  if (present) s.resources.set(resource, value);
  else s.resources.delete(resource);
}

/** Who is named in the records. */
function reverserOf(s: WorldState): Reversible {
  const key = "espalier.resources";
  let reverser = s.attachments.get(key) as Reversible | undefined;
  if (reverser === undefined) {
    reverser = {
      reverse: (_entity, _a, _b, before) => {
        const [resource, present, value] = before as [Resource<unknown>, boolean, unknown];
        put(s, resource, present, value);
      },
    };
    s.attachments.set(key, reverser);
  }
  return reverser;
}
