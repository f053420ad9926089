/**
 * One tween: creating it, and running it in a step.
 */
import {
  type ArgumentTest,
  type Component,
  checkOptions,
  describeValue,
  type Entity,
  expectArguments,
  isComponent,
  type Schema,
  type World,
} from "../../ecs/index.ts";
import type { EntityEventKind, EntityEvents, Hierarchy } from "../../hierarchy/index.ts";
import { InvalidTimerError } from "../errors.ts";
import { suggest } from "../nearest.ts";
import type { TweenEntry } from "./components.ts";
import { type EasingName, easings } from "./easing.ts";
import { reportTo } from "./report.ts";
import { stepsOf } from "./steps.ts";

/** Options of a tween. */
export interface TweenOptions {
  /** How long it takes. */
  readonly seconds: number;
  /** `linear` if left out. */
  readonly easing?: EasingName;
  /** Sent to the entity when it has arrived. */
  readonly arrived?: EntityEventKind<void>;
  /** Whether it repeats, back and forth. */
  readonly loop?: boolean;
}

interface TweenHost {
  readonly world: World;
  readonly tree: Hierarchy;
  readonly events: EntityEvents;
}

/**
 * The tween that begins at a step of the game.
 *
 * @throws InvalidTimerError
 */
export function tweenOf(
  { world, tree, events }: TweenHost,
  id: Entity,
  component: Component<Schema>,
  to: { readonly [field: string]: number },
  options: TweenOptions,
  { start, step }: { readonly start: number; readonly step: number },
): TweenEntry {
  const label = tree.label(id);
  checkOptions(world.checks, "tween", options ?? null, tweenOptions);
  expectArguments("tween", ["its options", options, "object"], ["the values to reach", to, "object"]);
  if (!isComponent(component)) expectArguments("tween", ["it", component, aComponent]);
  const easing = requireEasing(options.easing ?? "linear");
  const steps = stepsOf(options.seconds, step);
  const now = world.get(id, component) as Record<string, unknown> | undefined;
  if (now === undefined) {
    throw new InvalidTimerError(
      `Cannot tween ${component.name} of ${label}: it has none. Add the component first.`,
      { entities: [id], component: component.name },
    );
  }
  const fields: Record<string, readonly [number, number]> = {};
  for (const [field, value] of Object.entries(to)) {
    const from = now[field];
    if (typeof from !== "number" || isReference(component, field) || !Number.isFinite(value)) {
      throw new InvalidTimerError(
        `Cannot tween ${component.name}.${field} of ${label} to ${describeValue(value)}. Tweens take numeric fields and finite numbers.`,
        { entities: [id], component: component.name, field, value },
      );
    }
    fields[field] = [from, value];
  }
  if (options.arrived !== undefined) events.use(options.arrived);
  return {
    component: component.name,
    fields,
    start,
    steps,
    easing,
    arrived: options.arrived?.name ?? null,
    loop: options.loop ?? false,
  };
}

/** Moves its fields; returns how it ended, if it did. */
export function runTween(
  world: World,
  entity: Entity,
  component: Component<Schema> | undefined,
  tween: TweenEntry,
  now: number,
): "arrived" | "failed" | undefined {
  if (component === undefined || !world.has(entity, component)) return "failed";
  const values: Record<string, number> = {};
  const share = easings[tween.easing](shareOf(tween, now));
  for (const [field, [from, to]] of Object.entries(tween.fields)) {
    const value = from + (to - from) * share;
    values[field] = isInteger(component, field) ? Math.round(value) : value;
  }
  try {
    world.set(entity, component, values);
  } catch (error) {
    // For a file that names unknown fields: reported once, and not in every step.
    reportTo(world, error);
    return "failed";
  }
  return !tween.loop && now - tween.start >= tween.steps ? "arrived" : undefined;
}

export function requireEasing(name: EasingName): EasingName {
  if (typeof name === "string" && Object.hasOwn(easings, name)) return name;
  throw new InvalidTimerError(
    `Cannot ease by ${describeValue(name)}. ${suggest(name, Object.keys(easings), "easings")}`,
    { value: name },
  );
}

const tweenOptions = {
  seconds: "anything",
  easing: "anything",
  arrived: "anything",
  loop: "boolean",
} as const;
const aComponent: ArgumentTest = {
  expected: "a component. Pass what component() returned",
  fits: isComponent,
};

function shareOf({ start, steps, loop }: TweenEntry, now: number): number {
  const passed = (now - start) / steps;
  if (!loop) return Math.min(1, Math.max(0, passed));
  const there = passed % 2;
  return there <= 1 ? there : 2 - there;
}

/** The rest of a tween when a newer one takes over the fields that both move: itself, one with fewer fields, or nothing. */
export function withoutFieldsOf(tween: TweenEntry, newer: TweenEntry): TweenEntry[] {
  if (tween.component !== newer.component) return [tween];
  const fields = Object.entries(tween.fields);
  const left = fields.filter(([field]) => !Object.hasOwn(newer.fields, field));
  if (left.length === fields.length) return [tween];
  return left.length === 0 ? [] : [{ ...tween, fields: Object.fromEntries(left) }];
}

function isInteger(component: Component<Schema>, field: string): boolean {
  return valueKindOf(component, field) === "integer";
}

function isReference(component: Component<Schema>, field: string): boolean {
  return valueKindOf(component, field) === "entity";
}

function valueKindOf({ schema }: Component<Schema>, field: string): string | undefined {
  return Object.hasOwn(schema, field) ? schema[field]?.type.valueKind : undefined;
}
