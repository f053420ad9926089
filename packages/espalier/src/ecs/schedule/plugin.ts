/**
 * Plugins: a named group of components, resources and systems that is installed as one.
 */
import { attached } from "../attached.ts";
import { refuseArgument, requireFunction, requireList, requireObject } from "../checks/arguments.ts";
import { checkOptions, type OptionKinds } from "../checks/check-options.ts";
import type { AnyComponent, Resource } from "../components/component.ts";
import { describeValue } from "../components/fields.ts";
import { ScheduleError } from "../errors.ts";
import { stateOf, type World } from "../world.ts";
import { Schedule } from "./schedule.ts";
import type { SystemOptions } from "./system.ts";
import { type SystemSetOptions, systemSetOptions } from "./system-set.ts";

/** What a plugin brings. */
export interface PluginOptions extends Omit<SystemSetOptions, "name"> {
  /** Plugins that are installed before it, unless they are there. */
  readonly needs?: readonly Plugin[];
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
export interface Plugin extends PluginOptions {
  /** Its name, which is also that of the set of its systems. */
  readonly name: string;
}

const listOptions = ["needs", "components", "resources", "sets", "systems"] as const;
const { name: _name, ...ownSetOptions } = systemSetOptions;
const pluginOptions: OptionKinds = {
  ...ownSetOptions,
  ...Object.fromEntries(listOptions.map((option) => [option, "anything" as const])),
  install: "anything",
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
export function plugin(name: string, options: PluginOptions = {}): Plugin {
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
  options.resources?.forEach((each, k) => {
    requireObject(each, doing, `resources[${k}]`);
    requireResource(each.resource, doing, `the resource of resources[${k}]`);
    requireFunction(each.make, doing, `make of resources[${k}]`);
  });
  if (options.install !== undefined) requireFunction(options.install, doing, "install");
}

/** @throws InvalidArgumentError */
function requireResource(value: unknown, doing: string, what: string): void {
  const { isResource } = Object(value) as Partial<Resource<unknown>>;
  if (isResource !== true) refuseArgument(value, doing, what, "a resource. Pass what resource() returned");
}

/**
 * A resource of a plugin, with the function that makes the value it starts with.
 * @throws InvalidArgumentError
 */
export function startWith<Value>(resource: Resource<Value>, make: () => Value): PluginResource {
  requireResource(resource, "start a resource with a value", "the first argument");
  requireFunction(make, `start resource ${resource.name} with a value`, "the second argument");
  return { resource: resource as Resource<unknown>, make };
}

/**
 * Installs a plugin, after those it needs: sets its resources, then adds its sets and systems to the schedule. Gives whether it
 * did; a plugin that the schedule has already is not installed twice.
 *
 * @throws ScheduleError when the schedule has another plugin, a system or a set of one of its names, or an option that
 * cannot work: then nothing of this plugin is there. Whatever its `install` throws, after the same rollback of systems and sets.
 */
export function installPlugin(schedule: Schedule, given: Plugin): boolean {
  requireSchedule(schedule, "install a plugin");
  const { world } = schedule;
  stateOf(world).requireUsable("install a plugin");
  const installed = installedIn(schedule);
  requireObject(given, "install a plugin", "it");
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
  // Marked before the others are asked, so that plugins that need each other end.
  installed.set(name, given);
  const added: string[] = [];
  try {
    for (const needed of given.needs ?? []) installPlugin(schedule, needed);
    addSystems(schedule, given, added);
    for (const { resource, make } of given.resources ?? []) {
      if (!stateOf(world).resources.has(resource)) world.setResource(resource, make());
    }
    given.install?.(world, schedule);
  } catch (error) {
    for (const each of added.reverse()) schedule.remove(each);
    installed.delete(name);
    throw error;
  }
  return true;
}

/**
 * The plugins of a schedule, in the order they were installed.
 * @throws InvalidArgumentError
 */
export function pluginsOf(schedule: Schedule): Plugin[] {
  requireSchedule(schedule, "list the plugins");
  return [...installedIn(schedule).values()];
}

/** @throws InvalidArgumentError */
function requireSchedule(value: unknown, doing: string): void {
  if (!(value instanceof Schedule)) {
    refuseArgument(value, doing, "the first argument", "a schedule. Pass what createSchedule() returned");
  }
}

function installedIn(schedule: Schedule): Map<string, Plugin> {
  const bySchedule = attached(
    stateOf(schedule.world),
    "espalier.plugins",
    () => new WeakMap<Schedule, Map<string, Plugin>>(),
  );
  let installed = bySchedule.get(schedule);
  if (installed === undefined) bySchedule.set(schedule, (installed = new Map()));
  return installed;
}

/** @param added - Gets the names of what is there, for a rollback. */
function addSystems(schedule: Schedule, given: Plugin, added: string[]): void {
  const { needs: _, components: _c, resources: _r, install: _i, sets = [], systems = [], ...set } = given;
  const { name } = set;
  schedule.addSet(set);
  added.push(name);
  for (const each of sets) {
    schedule.addSet({ set: name, ...each });
    added.push(each.name);
  }
  for (const each of systems) {
    schedule.add({ set: name, ...each });
    added.push(each.name);
  }
}
