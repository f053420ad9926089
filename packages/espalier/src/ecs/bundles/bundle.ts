/**
 * Bundles: components with values under one name, created and added as one. A bundle is a recipe and leaves no trace: what an entity
 * has afterwards are the components.
 */
import {
  type AnyBundle,
  type AnyBundleInit,
  type AnyComponent,
  type AnyInit,
  type ComponentInit,
  initOf,
  isBundle,
  isBundleInit,
  isComponent,
} from "../components/component.ts";
import { describeValue } from "../components/fields.ts";
import { InvalidSchemaError, InvalidValueError } from "../errors.ts";

/** Values of the components of a bundle, by the names of the components. */
export type BundleValues = { readonly [component: string]: { readonly [field: string]: unknown } };

/** A bundle definition. Call it to give other values: `Tank(Health({ hp: 10 }))`, or by name: `Tank({ Health: { hp: 10 } })`. */
export interface Bundle extends AnyBundle {
  (...inits: AnyInit[]): AnyBundleInit;
  (values: BundleValues): AnyBundleInit;
}

/**
 * Defines a bundle of components, components with values and other bundles. Wherever a component can be given to create or add it, a
 * bundle can.
 *
 * @throws InvalidSchemaError when a component is there twice, also through another bundle, or a part is not a component.
 *
 * @example
 * ```ts
 * const Health = component("Health", { hp: f32(100) });
 * const Speed = component("Speed", { value: f32(3) });
 * const Tank = bundle("Tank", Health({ hp: 250 }), Speed);
 * const heavy = world.spawn(Tank);
 * const light = world.spawn(Tank(Health({ hp: 50 })));
 * [world.get(heavy, Health)?.hp, world.get(light, Health)?.hp]; // → [250, 50]
 * world.get(light, Speed); // → { value: 3 }
 * ```
 */
export function bundle(name: string, ...parts: ComponentInit[]): Bundle {
  if (typeof name !== "string" || name === "") {
    throw new InvalidSchemaError(
      `Cannot define a bundle named ${describeValue(name)}. Give it a name that is not empty.`,
      { value: name },
    );
  }
  const inits = parts.flatMap((part) => initsOf(name, part));
  const met = new Set<AnyComponent>();
  for (const { component } of inits) {
    if (met.has(component)) {
      throw new InvalidSchemaError(
        `Cannot define bundle ${name}: it has ${component.name} twice. Give each component once, with all its values.`,
        { component: component.name, subject: name },
      );
    }
    met.add(component);
  }
  const { [name]: make } = {
    [name]: (...given: readonly unknown[]): AnyBundleInit => ({
      key: BUNDLE,
      bundle: make as unknown as AnyBundle,
      parts: withValues(inits, overridesIn(name, inits, given)),
    }),
  };
  return Object.defineProperties(make, {
    parts: { value: Object.freeze(inits), enumerable: true },
    isBundle: { value: true },
    key: { value: BUNDLE },
  }) as unknown as Bundle;
}

/** What distinguishes bundles from components, whose keys count from 0. */
const BUNDLE = -1;

function initsOf(name: string, part: ComponentInit): readonly AnyInit[] {
  if (isBundle(part) || isBundleInit(part)) return part.parts;
  if (isComponent(part)) return [initOf(part, undefined)];
  const { component, values } = Object(part) as AnyInit;
  if (isComponent(component)) return [initOf(component, values)];
  throw new InvalidSchemaError(
    `Cannot define bundle ${name}: ${describeValue(part)} is not a component. Give components, components with values, and bundles.`,
    { subject: name, value: part },
  );
}

/** The values that a call of a bundle gives, by component. */
function overridesIn(
  name: string,
  parts: readonly AnyInit[],
  given: readonly unknown[],
): ReadonlyMap<AnyComponent, object> {
  const found = new Map<AnyComponent, object>();
  const put = (component: AnyComponent | undefined, label: string, values: unknown) => {
    if (component === undefined || !parts.some((part) => part.component === component)) {
      const known = parts.map((part) => part.component.name).join(", ");
      throw new InvalidValueError(
        `Cannot give ${label} to bundle ${name}: it is not a part of it; it has ${known}.`,
        { subject: name, component: label, value: values },
      );
    }
    if (typeof values !== "object" || values === null) {
      throw new InvalidValueError(
        `Cannot give ${label} to bundle ${name}: expected an object with its fields, got ${describeValue(values)}.`,
        { subject: name, component: label, value: values },
      );
    }
    found.set(component, values);
  };
  for (const item of given) {
    const { component, values } = Object(item) as Partial<AnyInit>;
    if (isComponent(component)) put(component, component.name, values ?? {});
    else if (typeof item !== "object" || item === null) put(undefined, describeValue(item), item);
    else {
      for (const [label, own] of Object.entries(item))
        put(parts.find((part) => part.component.name === label)?.component, label, own);
    }
  }
  return found;
}

function withValues(
  parts: readonly AnyInit[],
  overrides: ReadonlyMap<AnyComponent, object>,
): readonly AnyInit[] {
  return parts.map((part) => {
    const own = overrides.get(part.component);
    return own === undefined ? part : initOf(part.component, { ...part.values, ...own });
  });
}
