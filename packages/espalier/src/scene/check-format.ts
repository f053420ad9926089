/**
 * Validation of scene formats.
 */
import { type AnyComponent, describeValue, isComponent } from "../ecs/index.ts";
import { isRecord } from "./arguments.ts";
import type { ComponentCodec, ComponentRegistration } from "./codec.ts";
import { SceneUseError } from "./errors.ts";
import { reservedComponents } from "./file.ts";
import { SceneMember } from "./member.ts";

const code = "scene/invalid-format";

/** @param why - What is wrong, and what to do about it. */
function cannot(why: string): string {
  return `Cannot create a scene format with ${why}.`;
}

type Given = {
  readonly [Option in
    | "version"
    | "components"
    | "transient"
    | "prefabOnly"
    | "migrations"
    | "schema"]: unknown;
};

export function checkFormatOptions({
  version,
  components,
  transient,
  prefabOnly,
  migrations,
  schema,
}: Given): void {
  if (!Number.isInteger(version) || (version as number) < 1) {
    throw new SceneUseError(
      cannot(`version ${describeValue(version)}: a version is an integer of at least 1`),
      code,
      { option: "version", value: version },
    );
  }
  if (!Array.isArray(components))
    throw new SceneUseError(cannot(`components that are ${describeValue(components)}: give an array`), code, {
      option: "components",
      value: components,
    });
  if (!Array.isArray(transient) || !transient.every(isComponent))
    throw new SceneUseError(cannot("transient that is not an array of components"), code, {
      option: "transient",
      value: transient,
    });
  if (!Array.isArray(prefabOnly) || !prefabOnly.every(isComponent))
    throw new SceneUseError(cannot("prefabOnly that is not an array of components"), code, {
      option: "prefabOnly",
      value: prefabOnly,
    });
  if (!isRecord(migrations))
    throw new SceneUseError(
      cannot(`migrations that are ${describeValue(migrations)}: give an object by version`),
      code,
      { option: "migrations", value: migrations },
    );
  for (const [from, migration] of Object.entries(migrations)) {
    if (typeof migration !== "function")
      throw new SceneUseError(cannot(`a migration from ${from} that is not a function`), code, {
        option: "migrations",
        value: migration,
      });
  }
  if (schema !== undefined && typeof schema !== "string") {
    throw new SceneUseError(cannot(`${describeValue(schema)} as schema: give an address`), code, {
      option: "schema",
      value: schema,
    });
  }
}

/** Checks the lists of components against those that files may hold. */
export function checkLists(
  byComponent: ReadonlyMap<AnyComponent, ComponentCodec>,
  transient: readonly AnyComponent[],
  prefabOnly: readonly AnyComponent[],
): void {
  for (const component of transient) {
    if (byComponent.has(component))
      throw new SceneUseError(
        cannot(`${component.name} both as a component of files and as transient: choose one`),
        code,
        { option: "transient", component: component.name },
      );
  }
  for (const component of prefabOnly) {
    if (!byComponent.has(component))
      throw new SceneUseError(
        cannot(`${component.name} as prefabOnly and not among its components: list it there too`),
        code,
        { option: "prefabOnly", component: component.name },
      );
  }
}

export function registrationOf(item: AnyComponent | ComponentRegistration): ComponentRegistration {
  if (isComponent(item)) return { component: item, fields: {}, validate: undefined, description: undefined };
  if (typeof item === "object" && item !== null && isComponent(item.component)) return item;
  throw new SceneUseError(
    cannot(`${describeValue(item)} among its components: give components, or withCodec(component, …)`),
    code,
    { option: "components", value: item },
  );
}

export function checkRegistration(
  { component, fields, validate, description }: ComponentRegistration,
  known: ReadonlyMap<string, ComponentCodec>,
): void {
  const { name } = component;
  if (reservedComponents.has(name)) {
    throw new SceneUseError(
      cannot(`a component named ${name}: the parent of an entity is not a component in files. Rename yours`),
      code,
      { component: name },
    );
  }
  const other = known.get(name);
  if (other !== undefined) {
    const why = other.component === component ? "list it once" : "two components share it. Rename one";
    throw new SceneUseError(cannot(`${name} twice: ${why}`), code, { component: name });
  }
  if (component === SceneMember) {
    throw new SceneUseError(cannot(`${name}: scenes write it automatically. Leave it out`), code, {
      component: name,
    });
  }
  if (component.reserved !== undefined) {
    throw new SceneUseError(
      cannot(`${name}: only its owner writes it, so a file cannot. Leave it out`),
      code,
      { component: name },
    );
  }
  if (!isRecord(fields))
    throw new SceneUseError(
      cannot(`codecs of ${name} that are ${describeValue(fields)}: give an object by field`),
      code,
      { component: name, value: fields },
    );
  if (validate !== undefined && typeof Object(Object(validate)["~standard"]).validate !== "function") {
    throw new SceneUseError(
      cannot(`a validator of ${name} that is not one: give one with the Standard Schema interface`),
      code,
      { component: name, value: validate },
    );
  }
  if (description !== undefined && typeof description !== "string") {
    throw new SceneUseError(
      cannot(`${describeValue(description)} as description of ${name}: give a string`),
      code,
      { component: name, value: description },
    );
  }
  for (const [field, codec] of Object.entries(fields)) {
    if (codec === undefined) continue;
    if (!Object.hasOwn(component.schema, field)) {
      throw new SceneUseError(cannot(`a codec for ${name}.${field}: ${name} has no such field`), code, {
        component: name,
        field,
      });
    }
    if (!isRecord(codec) || typeof codec.write !== "function" || typeof codec.read !== "function") {
      throw new SceneUseError(
        cannot(`a codec for ${name}.${field} that lacks write or read: give both`),
        code,
        { component: name, field, value: codec },
      );
    }
  }
}
