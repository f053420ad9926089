/**
 * The scene format of a game: the components of the rooms, of behaviours and of the user.
 */
import {
  type AnyComponent,
  checkOptions,
  componentsOfPlugins,
  expectArguments,
  type PluginDefinition,
  Props,
} from "../ecs/index.ts";
import { hierarchyComponents } from "../hierarchy/index.ts";
import { inheritComponents } from "../inherit/index.ts";
import { renderComponents } from "../render/index.ts";
import {
  type ComponentRegistration,
  createSceneFormat,
  type Registrable,
  type SceneFormat,
  type SceneFormatOptions,
} from "../scene/index.ts";
import { transformComponents } from "../transform/index.ts";
import { type AnyBehaviour, bindingOf } from "./behaviours/behaviour.ts";
import type { GamePart } from "./game-api.ts";
import { gameOptions } from "./game-options.ts";
import { motionComponents } from "./motion/components.ts";
import { expectParts } from "./parts/part-list.ts";
import { stateComponents } from "./states/components.ts";
import { timerRegistrations } from "./timers/codecs.ts";

/** Options of the scene format of a game. */
export interface GameFormatOptions extends Omit<SceneFormatOptions, "components"> {
  /** Components besides those of the rooms and the behaviours. One that is listed here replaces a room's registration. */
  readonly components?: readonly Registrable[];
  /** The behaviours whose components files may hold. */
  readonly behaviours?: readonly AnyBehaviour[];
  /** Seconds per step: 1 / 60 if left out. */
  readonly step?: number;
  /** Plugins, which the game installs in this order. Files may hold their components, and those of plugins that they need. */
  readonly plugins?: readonly PluginDefinition[];
  /** The parts whose components files may hold. */
  readonly parts?: { readonly [name: string]: Pick<GamePart, "components"> };
}

/**
 * The format of the scenes of a game, without the game: for tools, such as `npx espalier check`. `createGame` creates the
 * same format from the same options, so those of a game can be passed as they are. It starts no physics: list `physicsComponents` in
 * `components` if files hold bodies. Timers are always among its components, but in a game only with the option `timers`.
 *
 * @example
 * ```ts
 * const format = createGameFormat();
 * format.components.includes("Transform2D"); // → true
 * ```
 */
export function createGameFormat(options: GameFormatOptions = {}): SceneFormat {
  checkOptions(true, "make the format of a game", options, gameOptions);
  return formatWith(
    timerRegistrations({ tick: 0, step: options.step ?? 1 / 60 }),
    options,
    createSceneFormat,
  );
}

/**
 * The same for a game.
 *
 * @param timers - The components of its timers, if it has any.
 */
export function formatWith(
  timers: readonly ComponentRegistration[],
  options: GameFormatOptions,
  create: (options: SceneFormatOptions) => SceneFormat,
): SceneFormat {
  const { components = [], behaviours = [], plugins = [], parts = {} } = options;
  const { version, migrations, schema, transient } = options;
  expectArguments(
    "make a game",
    ["components", components, "list"],
    ["behaviours", behaviours, "list"],
    ["transient", transient ?? [], "list"],
    ["plugins", plugins, "list"],
  );
  for (const each of plugins) expectArguments("make a game", ["one of plugins", each, "object"]);
  expectParts(parts, undefined);
  const own = components.flat() as (AnyComponent | ComponentRegistration)[];
  const offered: (AnyComponent | ComponentRegistration)[] = [
    ...hierarchyComponents,
    ...transformComponents,
    ...inheritComponents,
    Props,
    ...timers,
    ...motionComponents,
    ...stateComponents,
    ...renderComponents(),
    ...Object.values(parts).flatMap((part) => (part.components ?? []).flat() as AnyComponent[]),
    ...componentsOfPlugins(plugins),
    ...behaviours.map((given) => bindingOf(given).component),
  ];
  const taken = new Set(own.map(componentOf));
  const hidden = new Set(transient);
  const all = offered.filter((item) => {
    const component = componentOf(item);
    if (taken.has(component) || hidden.has(component)) return false;
    taken.add(component);
    return true;
  });
  return create({
    components: [...all, ...own],
    ...(version === undefined ? {} : { version }),
    ...(migrations === undefined ? {} : { migrations }),
    ...(schema === undefined ? {} : { schema }),
    ...(transient === undefined ? {} : { transient }),
  });
}

function componentOf(item: AnyComponent | ComponentRegistration): AnyComponent {
  return typeof item === "object" && item !== null && "component" in item ? item.component : item;
}
