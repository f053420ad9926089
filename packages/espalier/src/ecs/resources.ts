/**
 * Data of which a world has one.
 */
import { attached } from "./attached.ts";
import type { Resource } from "./components/component.ts";
import { describeValue } from "./components/fields.ts";
import { MissingResourceError } from "./errors.ts";
import type { Reversible } from "./listeners/hooks.ts";
import type { WorldState } from "./state.ts";

export function readResource(s: WorldState, resource: Resource<unknown>): unknown {
  s.requireUsable("read a resource");
  const { resources } = s;
  if (!resources.has(resource)) {
    requireResource(resource, "read");
    if (resource.initial === undefined) {
      throw new MissingResourceError(
        `Cannot read resource ${resource.name}: it was never set. Call world.setResource() first, or define it with an initial value.`,
        { subject: resource.name },
      );
    }
    resources.set(resource, resource.initial());
  }
  return resources.get(resource);
}

export function writeResource(s: WorldState, resource: Resource<unknown>, value: unknown): void {
  s.requireUsable("set a resource");
  requireResource(resource, "set");
  put(s, resource, true, value);
}

function requireResource(resource: Resource<unknown>, doing: string): void {
  if (resource?.isResource === true) return;
  throw new MissingResourceError(
    `Cannot ${doing} ${describeValue(resource)}: it is not a resource. Define one with resource().`,
    { value: resource },
  );
}

function put(s: WorldState, resource: Resource<unknown>, present: boolean, value: unknown): void {
  if (s.recorder.wanted) {
    const before = [resource, s.resources.has(resource), s.resources.get(resource)];
    s.recorder.room(reverserOf(s), null, 0, 0, before);
  }
  if (present) s.resources.set(resource, value);
  else s.resources.delete(resource);
}

/** What the records name. */
function reverserOf(s: WorldState): Reversible {
  return attached(
    s,
    "espalier.resources",
    (): Reversible => ({
      reverse: (_entity, _a, _b, before) => put(s, ...(before as [Resource<unknown>, boolean, unknown])),
    }),
  );
}
