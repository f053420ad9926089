/**
 * Refusing what no transform can hold. These checks stay in every build.
 */
import type { EntityLike } from "../../ecs/index.ts";
import { describeValue, requireObject } from "../../ecs/internal.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";
import { InvalidSpaceError, InvalidTransformError } from "../errors.ts";

/** The entity whose numbers are checked. */
export interface NumberOwner {
  readonly tree: Hierarchy;
  readonly component: { readonly name: string };
  /** Whether numbers are kept in 32 bits. */
  readonly isSingle?: boolean;
}

/** Throws unless `value` is a number that is finite as it will be stored. */
export function requireFinite(
  owner: NumberOwner,
  entity: EntityLike | undefined,
  field: string,
  value: unknown,
): void {
  if (typeof value === "number" && Number.isFinite(owner.isSingle ? Math.fround(value) : value)) return;
  refuseNumber(owner, entity, field, value);
}

function refuseNumber(
  owner: NumberOwner,
  entity: EntityLike | undefined,
  field: string,
  value: unknown,
): never {
  const { tree, component, isSingle } = owner;
  const bits = isSingle ? " of 32 bits" : "";
  throw new InvalidTransformError(
    `Cannot set ${component.name}.${field}${entity === undefined ? "" : ` of ${tree.label(entity)}`} to ${describeValue(value)}: a transform holds finite numbers${bits}. Check the computation that gave it.`,
    { entities: entity === undefined ? [] : [entity], field, component: component.name, value },
  );
}

/** The same for all fields of an object; what is `undefined` is not given. */
export function requireAllFinite(owner: NumberOwner, entity: EntityLike | undefined, values: object): void {
  requireObject(values, "set a transform", "what to set");
  for (const field of Object.keys(values)) {
    const value = (values as { readonly [field: string]: unknown })[field];
    if (value !== undefined) requireFinite(owner, entity, field, value);
  }
}

function areFinite(values: ArrayLike<number>): boolean {
  for (let k = 0; k < values.length; k++) if (!Number.isFinite(values[k])) return false;
  return true;
}

/** Refuses a world value that has not so many finite numbers. */
export function requireWorld(
  owner: NumberOwner & { readonly name: string },
  entity: EntityLike | undefined,
  width: number,
  values: ArrayLike<number>,
): void {
  if (values?.length === width && areFinite(values)) return;
  const of = entity === undefined ? "the root" : owner.tree.label(entity);
  const entities = entity === undefined ? [] : [entity];
  if (values?.length !== width) {
    throw new InvalidSpaceError(
      `Cannot set the world value of ${of} in ${owner.name}: it takes ${width} numbers, got ${describeValue(values?.length)}.`,
      { entities, subject: owner.name, value: values?.length },
    );
  }
  for (let k = 0; k < values.length; k++) {
    if (Number.isFinite(values[k])) continue;
    throw new InvalidTransformError(
      `Cannot set the world value of ${of} in ${owner.name}: number ${k} is ${describeValue(values[k])}, and a transform holds finite numbers. Check the computation that gave it.`,
      { entities, field: `world[${k}]`, subject: owner.name, value: values[k] },
    );
  }
}
