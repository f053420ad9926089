/**
 * Plugins: a named group of components, resources and systems that is installed as one.
 */
import { attached } from "../attached.ts";
import { refuseArgument, requireFunction, requireList, requireObject } from "../checks/arguments.ts";
import { checkOptions, type OptionKinds } from "../checks/check-options.ts";
import { type AnyComponent, isComponent, type Resource } from "../components/component.ts";
import { describeValue } from "../components/fields.ts";
import { ScheduleError } from "../errors.ts";
import { stateOf, type World } from "../world.ts";
import { Schedule } from "./schedule.ts";
import type { SystemOptions } from "./system.ts";
import type { SystemSetOptions } from "./system-set.ts";

/** What a plugin brings. */
export interface PluginOptions extends Omit<SystemSetOptions, "name"> {
  /** Plugins that are installed before it, unless they are there. */
  readonly needs?: readonly PluginDefinition[];
  /** The components it works with: the scene files of a game that installs it may hold them. */
  readonly components?: readonly AnyComponent[];
  /** Resources with the values they start with. One that the world has already keeps its value. */
  readonly resources?: readonly PluginResource[];
  /** Sets of systems, inside the set of the plugin unless they name another one. */
  readonly sets?: readonly SystemSetOptions[];
  /** Systems, in the set of the plugin unless they name another one. */
  readonly systems?: readonly SystemOptions[];
  /** Called last, for what cannot be listed: observers, channels, first entities. */
  readonly install?: (world: World, schedule: Schedule) => void;
}

/** A resource and the function that makes its first value. Made by `startWith`. */
export interface PluginResource {
  /** The resource. */
  readonly resource: Resource<unknown>;
  /** Makes the value, once for each world. */
  readonly make: () => unknown;
}

/** A named group of components, resources and systems. Made by `plugin`. */
export interface PluginDefinition extends PluginOptions {
  /** Its name, which is also that of the set of its systems. */
  readonly name: string;
}

const listOptions = ["needs", "components", "resources", "sets", "systems"] as const;
const pluginOptions: OptionKinds = {
  needs: "anything",
  components: "anything",
  resources: "anything",
  sets: "anything",
  systems: "anything",
  install: "anything",
  set: "anything",
  before: "anything",
  after: "anything",
  runIf: "anything",
  enabled: "boolean",
};

/**
 * Describes a plugin. Nothing happens before it is installed, so one may be installed into any number of worlds.
 *
 * Its systems form a set of its name: `schedule.disable("weather")` switches them all off, and `before`, `after` and `runIf` of the
 * plugin apply to all of them.
 *
 * @throws ScheduleError for a name that is empty; InvalidArgumentError for options of another shape.
 *
 * @example
 * ```ts
 * const Wind = resource("Wind", () => 0);
 * const weather = plugin("weather", {
 *   resources: [startWith(Wind, () => 3)],
 *   systems: [{ name: "blow", run: ({ world }) => world.setResource(Wind, world.resource(Wind) + 1) }],
 * });
 * const world = createWorld();
 * const schedule = createSchedule(world);
 * installPlugin(schedule, weather); // → true
 * schedule.run(0);
 * world.resource(Wind); // → 4
 * ```
 */
export function plugin(name: string, options: PluginOptions = {}): PluginDefinition {
  requireName(name);
  const doing = `make plugin ${name}`;
  requireObject(options, doing, "the second argument");
  checkOptions(true, doing, options, pluginOptions);
  requireContents(options, doing);
  return { ...options, name };
}

/** @throws ScheduleError */
function requireName(name: unknown): void {
  if (typeof name === "string" && name.length > 0) return;
  throw new ScheduleError(
    `Cannot make a plugin named ${describeValue(name)}. Give it a name that is not empty.`,
    { value: name },
  );
}

/** @throws InvalidArgumentError */
function requireContents(options: PluginOptions, doing: string): void {
  for (const key of listOptions) {
    if (options[key] !== undefined) requireList(options[key], doing, key);
  }
  for (const each of options.components ?? []) {
    if (!isComponent(each)) refuseArgument(each, doing, "one of components", "a component");
  }
  for (const each of options.resources ?? []) {
    if (!isResource(each?.resource) || typeof each.make !== "function")
      refuseArgument(each, doing, "one of resources", "what startWith() gives");
  }
  if (options.install !== undefined) requireFunction(options.install, doing, "install");
}

/**
 * A resource of a plugin, with the function that makes the value it starts with.
 * @throws InvalidArgumentError
 */
export function startWith<Value>(resource: Resource<Value>, make: () => Value): PluginResource {
  if (!isResource(resource))
    refuseArgument(resource, "start a resource with a value", "the first argument", "a resource");
  requireFunction(make, `start resource ${resource.name} with a value`, "the second argument");
  return { resource: resource as Resource<unknown>, make };
}

/**
 * Installs a plugin, after those it needs: adds its sets and systems to the schedule, sets its resources, calls its `install`.
 * Gives whether it did; a plugin that the schedule has already is not installed twice.
 *
 * @throws ScheduleError when the schedule has another plugin, a system or a set of one of its names, or an option that
 * cannot work; whatever its `install` throws. Then the schedule is as it was, without the plugins that came along either. What
 * an `install` has done to the world stays, and so do resources that were set.
 */
export function installPlugin(schedule: Schedule, given: PluginDefinition): boolean {
  requireSchedule(schedule, "install a plugin");
  stateOf(schedule.world).requireUsable("install a plugin");
  requireObject(given, "install a plugin", "it");
  const installed = installedIn(schedule);
  const { name } = given;
  // A plugin is plain data and may come from elsewhere than plugin().
  requireName(name);
  requireContents(given, `install plugin ${name}`);
  const there = installed.get(name);
  if (there === given) return false;
  if (there !== undefined) {
    throw new ScheduleError(
      `Cannot install plugin ${name}: there is another plugin of that name. Rename one of them.`,
      { subject: name },
    );
  }
  const before = [...installed];
  try {
    // Marked before the others are asked, so that plugins that need each other end.
    installed.set(name, given);
    schedule.attempt(() => bring(schedule, given));
  } catch (error) {
    installed.clear();
    for (const [other, known] of before) installed.set(other, known);
    throw error;
  }
  // Listed behind those it needs.
  installed.delete(name);
  installed.set(name, given);
  return true;
}

/**
 * The plugins of a schedule, in the order they were installed: each behind those it needs.
 * @throws InvalidArgumentError
 */
export function pluginsOf(schedule: Schedule): PluginDefinition[] {
  requireSchedule(schedule, "list the plugins");
  return [...installedIn(schedule).values()];
}

/** The components of plugins and of those they need, each plugin once. For rooms that keep a list of components. */
export function componentsOfPlugins(plugins: readonly PluginDefinition[]): AnyComponent[] {
  requireList(plugins, "list the components of plugins", "the first argument");
  for (const each of plugins) requireObject(each, "list the components of plugins", "one of them");
  const all = new Set(plugins);
  // A set goes on with what is added while it is read.
  for (const each of all) for (const needed of each.needs ?? []) all.add(needed);
  return [...all].flatMap(({ components = [] }) => components);
}

/** @throws InvalidArgumentError */
function requireSchedule(value: unknown, doing: string): void {
  if (!(value instanceof Schedule)) {
    refuseArgument(value, doing, "the first argument", "a schedule. Pass what createSchedule() returned");
  }
}

function installedIn(schedule: Schedule): Map<string, PluginDefinition> {
  const bySchedule = attached(
    stateOf(schedule.world),
    "espalier.plugins",
    () => new WeakMap<Schedule, Map<string, PluginDefinition>>(),
  );
  let installed = bySchedule.get(schedule);
  if (installed === undefined) bySchedule.set(schedule, (installed = new Map()));
  return installed;
}

function bring(schedule: Schedule, given: PluginDefinition): void {
  const { needs = [], components: _, resources = [], install, sets = [], systems = [], ...set } = given;
  const { world } = schedule;
  for (const needed of needs) installPlugin(schedule, needed);
  schedule.addSet(set);
  for (const each of sets) schedule.addSet({ set: set.name, ...each });
  for (const each of systems) schedule.add({ set: set.name, ...each });
  for (const { resource, make } of resources) {
    if (!stateOf(world).resources.has(resource)) world.setResource(resource, make());
  }
  install?.(world, schedule);
}

function isResource(value: unknown): value is Resource<unknown> {
  return (value as Partial<Resource<unknown>> | undefined)?.isResource === true;
}
