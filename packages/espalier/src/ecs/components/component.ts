/**
 * Component and resource definitions: plain values that belong to no world. A world learns of a component the first
 * time it meets it, so there is no registration step.
 */
import { requireFunction } from "../checks/arguments.ts";
import { checkOptions } from "../checks/check-options.ts";
import { InvalidSchemaError } from "../errors.ts";
import { object } from "../field-types/object.ts";
import type { FieldGroup } from "../field-types/vectors.ts";
import { noteBuild } from "../one-build.ts";
import type { Field, FlatSchema, InputOf, Schema, SchemaInput } from "./fields.ts";
import { describeValue, misfit } from "./fields.ts";
import type { SharedStorage } from "./shared.ts";

/** What all component definitions have in common, whatever their fields. */
export interface AnyComponent {
  /** The name it was defined with; unique in a world. */
  readonly name: string;
  /** Its fields by name; empty for tags. */
  readonly schema: Schema;
  /** `dense`: one value per index of the world. `sparse`: only for the entities that have it. `shared`: one for all that are equal. */
  readonly storage: "dense" | "sparse" | "shared";
  /** @internal Shared storage, where it has that. */
  readonly sharing: SharedStorage | undefined;
  /** The calls that write it instead, where only its owner may write it; `undefined` for all others. */
  readonly reserved: string | undefined;
  /** The fields that say where an entity is; see `ComponentOptions.placement`. */
  readonly placement: readonly string[];
  /** What an entity that gets it must have; see `ComponentOptions.requires`. */
  readonly requires: Requirements | undefined;
  /** Marks components, to distinguish them from other functions. */
  readonly isComponent: true;
  /** @internal See `InitValues`. */
  readonly key: number;
}

/** A component together with the values it starts with, whatever its fields. */
export interface AnyInit {
  /** The component that is given. */
  readonly component: AnyComponent;
  /** Start values by field; defaults where they are left out. */
  readonly values: object | undefined;
  /** @internal See `InitValues`. */
  readonly key?: number;
}

/** A bundle of components, whatever they are; see `bundle`. */
export interface AnyBundle {
  /** The name it was defined with. */
  readonly name: string;
  /** Its components with their values; those of bundles inside it too. */
  readonly parts: readonly AnyInit[];
  /** Marks bundles, to distinguish them from components. */
  readonly isBundle: true;
  /** @internal Below 0: not a component. */
  readonly key: number;
}

/** A bundle together with other values than its own; what `Tank(Health({ hp: 5 }))` returns. */
export interface AnyBundleInit {
  /** The bundle that is given. */
  readonly bundle: AnyBundle;
  /** Its components with the values that result. */
  readonly parts: readonly AnyInit[];
  /** @internal Below 0: not a component. */
  readonly key: number;
}

/** What a component requires: an array, or where components name each other across files, a function that returns it. */
export type Requirements = readonly ComponentInit[] | (() => readonly ComponentInit[]);

/**
 * What calling a component returns. `key` is the component's number among all definitions of the process, so that a world
 * finds its store by one look into an array.
 */
export class InitValues implements AnyInit {
  readonly key: number;
  readonly component: AnyComponent;
  readonly values: object | undefined;

  constructor(key: number, component: AnyComponent, values: object | undefined) {
    this.key = key;
    this.component = component;
    this.values = values;
  }
}

/** The init of any component, for code without the call. */
export function initOf(component: AnyComponent, values: object | undefined): AnyInit {
  return new InitValues(component.key, component, values);
}

/** A component together with the values it starts with; what `Health({ hp: 5 })` returns. */
export interface Init<S extends Schema> extends AnyInit {
  /** The component that is given. */
  readonly component: Component<S>;
  /** Start values by field; defaults where they are left out. */
  readonly values: InputOf<S> | undefined;
}

/** Options of `component`. */
export interface ComponentOptions {
  /**
   * `dense` (the default) keeps one value per index in the world: fastest, costs memory for every entity.
   * `sparse` keeps values only for the entities that have the component: for rare components.
   * `shared` (imported, not a string) keeps equal values once, however many entities have them: for what most instances of a prefab never
   * change.
   */
  readonly storage?: "dense" | "sparse" | SharedStorage;
  /** Only the owner may write this component. The text names the calls to use instead: "tree.attach()". */
  readonly reserved?: string;
  /**
   * The fields that say where an entity is and not what it is, such as the position. The root of an instance of a prefab keeps
   * its own when its overrides are applied to the prefab.
   */
  readonly placement?: readonly string[];
  /**
   * Components that an entity must have with this one, with the values to start with: `requires: [Transform2D, Mass({ kg: 2 })]`. Where it
   * is created or added, those that are missing are added too. Removing one of them later is allowed.
   */
  readonly requires?: Requirements;
}

/** A component definition. Call it to give start values: `world.spawn(Health({ hp: 5 }))`. */
export interface Component<S extends Schema> extends AnyComponent {
  (values?: InputOf<S>): Init<S>;
  /** Its fields by name. */
  readonly schema: S;
}

/** A component without fields. */
// biome-ignore lint/complexity/noBannedTypes: `{}` is the schema without fields
export type Tag = Component<{}>;

/** What `spawn` and `add` take: a component (defaults), a component with values, or a bundle of these. */
export type ComponentInit = AnyComponent | AnyInit | AnyBundle | AnyBundleInit;

const componentOptions = {
  storage: "anything",
  reserved: "string",
  placement: "anything",
  requires: "anything",
} as const;

/** Counts definitions, so that each has a number of its own. Nothing else is shared between worlds. */
let definitions = 0;

const names = /^[A-Za-z_$][\w$]*$/;
// Views carry these themselves, so a field of that name could not be reached.
const takenFieldNames = new Set(["__proto__", "constructor", "prototype", "index$", "slot$", "slots$"]);

/**
 * Defines a component with typed fields.
 *
 * The name must be unique within each world that uses it; that is checked when a world first meets it.
 *
 * @throws InvalidSchemaError when a name or a default cannot work.
 *
 * @example
 * ```ts
 * const Health = component("Health", { hp: f32(100), armored: bool() });
 * const e = world.spawn(Health({ hp: 250 }));
 * world.get(e, Health); // { hp: 250, armored: false }
 * ```
 */
export function component<const S extends Schema>(
  name: string,
  schema: S,
  options?: ComponentOptions,
): Component<S>;
/**
 * Defines a component whose fields may be groups of fields, such as `vec2()`: a group `at` of `x` and `y` becomes the fields `atX`
 * and `atY`.
 */
export function component<const S extends SchemaInput>(
  name: string,
  schema: S,
  options?: ComponentOptions,
): Component<FlatSchema<S>>;
export function component(
  name: string,
  schema: SchemaInput,
  options: ComponentOptions = {},
): Component<Schema> {
  noteBuild();
  if (typeof name !== "string" || name.length === 0) {
    throw new InvalidSchemaError(
      `Cannot define a component named ${describeValue(name)}. Give it a name that is not empty.`,
      { value: name },
    );
  }
  if (typeof schema !== "object" || schema === null) {
    throw new InvalidSchemaError(
      `Cannot define component ${name}: expected an object with its fields, got ${describeValue(schema)}. Use tag() for a component without fields.`,
      { component: name, value: schema },
    );
  }
  checkOptions(true, `define component ${name}`, options, componentOptions);
  const given = options.storage ?? "dense";
  const sharing = typeof given === "object" && given?.name === "shared" ? given : undefined;
  const storage = sharing === undefined ? (given as "dense" | "sparse") : "shared";
  if (sharing === undefined && storage !== "dense" && storage !== "sparse") {
    throw new InvalidSchemaError(
      `Cannot define component ${name}: storage is ${describeValue(given)}. Use "dense", "sparse", or shared, which espalier exports.`,
      { component: name, option: "storage", value: given },
    );
  }
  const flat = flatten(name, schema);
  for (const key of Object.keys(flat)) checkField(name, key, flat[key] as Field);
  if (sharing !== undefined) shareFields(sharing, name, flat);
  const placement = Object.freeze([...requirePlacement(name, flat, options.placement)]);
  const requires = requireRequirements(name, options.requires);
  const key = definitions++;
  // Named by a computed key: redefining `name` would make V8 look up every property of the function in a dictionary.
  const { [name]: make } = {
    [name]: (values?: object): AnyInit => new InitValues(key, make as unknown as AnyComponent, values),
  };
  Object.defineProperties(make, {
    schema: { value: Object.freeze(flat), enumerable: true },
    storage: { value: storage, enumerable: true },
    sharing: { value: sharing },
    reserved: { value: options.reserved, enumerable: true },
    placement: { value: placement, enumerable: true },
    requires: { value: requires, enumerable: true },
    isComponent: { value: true },
    key: { value: key },
  });
  return make as unknown as Component<Schema>;
}

function shareFields(sharing: SharedStorage, name: string, schema: { [field: string]: Field }): void {
  const fields = Object.entries(schema);
  if (fields.length === 0) {
    throw new InvalidSchemaError(
      `Cannot define component ${name}: it has no values that entities could share. Leave storage out; a tag costs no memory.`,
      { component: name, option: "storage" },
    );
  }
  for (const [key, field] of fields) schema[key] = sharing.share(name, key, field);
}

function requireRequirements(name: string, requires: Requirements | undefined): Requirements | undefined {
  if (requires === undefined) return requires;
  if (Array.isArray(requires)) return Object.freeze([...requires]);
  // Components and bundles are functions too.
  if (typeof requires === "function" && !isComponent(requires) && !isBundle(requires)) return requires;
  throw new InvalidSchemaError(
    `Cannot define component ${name}: requires is ${describeValue(requires)}. Give an array of components, or a function that returns one.`,
    { component: name, option: "requires", value: requires },
  );
}

function requirePlacement(
  name: string,
  schema: Schema,
  placement: readonly string[] = [],
): readonly string[] {
  const isField = (field: unknown) => typeof field === "string" && Object.hasOwn(schema, field);
  if (Array.isArray(placement) && placement.every(isField)) return placement;
  throw new InvalidSchemaError(
    `Cannot define component ${name}: placement is ${describeValue(placement)}. Give an array of names of its fields.`,
  );
}

/**
 * Defines a component without values: it is there or it is not. Costs no memory per entity.
 *
 * @example
 * ```ts
 * const Frozen = tag("Frozen");
 * const rock = world.spawn(Frozen);
 * world.query(Frozen).ids(); // → [rock]
 * ```
 */
export function tag(name: string, options: ComponentOptions = {}): Tag {
  return component(name, {}, options);
}

/**
 * Not saved: scene files leave out entities that have it, with everything below them. For what is drawn by tools, effects and
 * the like. Snapshots have them: these are the world as it is.
 */
export const Transient: Tag = /* @__PURE__ */ tag("Transient");

/** Free-form data of one entity, for what has no component of its own. Sparse: costs nothing where it is absent. */
export const Props: Component<{ values: Field<Record<string, unknown>, "object"> }> =
  /* @__PURE__ */ component(
    "Props",
    { values: /* @__PURE__ */ object((): Record<string, unknown> => ({})) },
    { storage: "sparse" },
  );

/** Whether a value is a component, a tag included. */
export function isComponent(value: unknown): value is AnyComponent {
  return typeof value === "function" && (value as Partial<AnyComponent>).isComponent === true;
}

/** Whether a value is a bundle. */
export function isBundle(value: unknown): value is AnyBundle {
  return typeof value === "function" && (value as unknown as Partial<AnyBundle>).isBundle === true;
}

/** Whether a value is a bundle with values. */
export function isBundleInit(value: unknown): value is AnyBundleInit {
  return typeof value === "object" && value !== null && isBundle((value as Partial<AnyBundleInit>).bundle);
}

/** Whether this copy of the library made the component, so that its `key` distinguishes it from all others that it made. */
export function isOwn(component: AnyComponent): boolean {
  return (component as Component<Schema>)() instanceof InitValues;
}

/** Whether it is a component without fields. `false` for anything that is not a component. */
export function isTag(component: AnyComponent): boolean {
  return isComponent(component) && Object.keys(component.schema).length === 0;
}

/** One value per world, found by its definition: settings, time, score. */
export interface Resource<Value> {
  /** The name it was defined with; unique in a world. */
  readonly name: string;
  /** Makes the first value, when the resource is read before it was set. */
  readonly initial: (() => Value) | undefined;
  /** Marks resources, to distinguish them from components. */
  readonly isResource: true;
}

/**
 * Defines a resource. With `initial`, every world starts with its own value; without, reading it before
 * `world.setResource` throws `MissingResourceError`.
 *
 * @example
 * ```ts
 * const Score = resource("Score", () => 0);
 * world.setResource(Score, world.resource(Score) + 10);
 * world.resource(Score); // → 10
 * ```
 */
export function resource<Value>(name: string, initial?: () => Value): Resource<Value> {
  if (typeof name !== "string" || name.length === 0) {
    throw new InvalidSchemaError(
      `Cannot define a resource named ${describeValue(name)}. Give it a name that is not empty.`,
      { value: name },
    );
  }
  if (initial !== undefined)
    requireFunction(initial, `define resource ${name}`, "what makes its initial value");
  return { name, initial, isResource: true };
}

/** Replaces groups by their fields: `position: vec2()` by `positionX` and `positionY`. */
function flatten(component: string, schema: SchemaInput): { [field: string]: Field } {
  const flat: { [field: string]: Field } = {};
  const add = (name: string, field: Field) => {
    if (Object.hasOwn(flat, name)) {
      throw new InvalidSchemaError(
        `Cannot define component ${component}: it has two fields ${describeValue(name)}, one of them from a group. Rename one.`,
        { component, field: name },
      );
    }
    Object.defineProperty(flat, name, { value: field, enumerable: true, configurable: true, writable: true });
  };
  for (const [name, value] of Object.entries(schema)) {
    if (!isGroup(value)) add(name, value);
    else for (const [suffix, field] of Object.entries(value.fields)) add(`${name}${suffix}`, field);
  }
  return flat;
}

function isGroup(value: Field | FieldGroup): value is FieldGroup {
  return typeof value === "object" && value !== null && "fields" in value;
}

function checkField(component: string, key: string, field: Field): void {
  const where = () => `Cannot define component ${component}: field ${describeValue(key)}`;
  const facts = { component, field: key, value: field };
  if (!names.test(key) || takenFieldNames.has(key)) {
    throw new InvalidSchemaError(
      `${where()} has a name that cannot be used. Use letters, digits and _, not ${key}.`,
      facts,
    );
  }
  if (typeof field !== "object" || field === null || field.type === undefined) {
    throw new InvalidSchemaError(
      `${where()} is ${describeValue(field)}. Use a field such as f32(), string() or object(() => …).`,
      facts,
    );
  }
  if (field.type.valueKind === "object") {
    if (typeof field.initial !== "function") {
      throw new InvalidSchemaError(
        `${where()} needs a function that makes its default: object(() => …).`,
        facts,
      );
    }
    return;
  }
  const wrong = misfit(field, field.initial);
  if (wrong !== undefined)
    throw new InvalidSchemaError(`${where()} has a default that does not fit: it ${wrong}.`, facts);
}
