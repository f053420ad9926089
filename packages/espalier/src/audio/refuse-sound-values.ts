/**
 * Values that are never valid are refused when they are written: by spawn, add, set, commands, views and scenes, before anything
 * changes.
 */
import { describeValue, guard, guardWrites } from "../ecs/index.ts";
import type { Hierarchy } from "../hierarchy/index.ts";
import { Sound, Volume } from "./components.ts";
import { InvalidSoundError } from "./errors.ts";

type Values = { readonly [field: string]: unknown };
type Require = (name: unknown, label: () => string) => void;

const atLeast0 = ["volume", "time", "near", "far", "fade", "value"];

/**
 * Refuses such values until `end`. `pause` skips the check for writes of the room itself, which would otherwise cost fifteen
 * times as much.
 */
export function refuseSoundValues(tree: Hierarchy, requireSound: Require, requireBus: Require) {
  const { world } = tree;
  const check = (component: string, values: Values, name: () => string) => {
    for (const field of atLeast0) {
      if (!((values[field] as number) < 0)) continue;
      throw new InvalidSoundError(
        `Cannot give ${name()} the ${field} ${describeValue(values[field])} in ${component}: give 0 or more.`,
        { component, field, value: values[field] },
      );
    }
    if ((values.rate as number) <= 0) {
      throw new InvalidSoundError(
        `Cannot give ${name()} the rate ${describeValue(values.rate)} in Sound: give a number above 0. To let it wait, set playing to false.`,
        { component, field: "rate", value: values.rate },
      );
    }
    if (values.sound !== undefined) requireSound(values.sound, () => `with ${name()}`);
    if (values.bus !== undefined) requireBus(values.bus, () => `with ${name()}`);
  };
  const nameAt = (index: number) => () => (index === 0 ? "a new entity" : tree.label(world.handleAt(index)));
  const guardSounds = () =>
    guardWrites(world, Sound, (entity, values) => check("Sound", values, () => tree.label(entity)));
  let endSounds = guardSounds();
  const ends = [
    guard(world, Sound, (index, values) => check("Sound", (values ?? {}) as Values, nameAt(index))),
    guard(world, Volume, (index, values) => check("Volume", (values ?? {}) as Values, nameAt(index))),
    guardWrites(world, Volume, (entity, values) => check("Volume", values, () => tree.label(entity))),
  ];
  return {
    pause: () => endSounds(),
    resume() {
      endSounds = guardSounds();
    },
    end() {
      endSounds();
      for (const end of ends) end();
    },
  };
}
