/**
 * Buses: volume settings of the player, by name. They belong to the program, not to the scene.
 */
import { describeValue, expectArguments, nearestName } from "../ecs/index.ts";
import { InvalidSoundError, UnknownBusError } from "./errors.ts";
import type { AudioOutput } from "./output.ts";

export interface Buses {
  /** @throws UnknownBusError */
  require(bus: unknown, label: () => string): void;
  set(bus: string, gain: number): void;
  gain(bus: string): number;
}

const usual = { music: 1, effects: 1, voice: 1, interface: 1 };

export function createBuses(output: AudioOutput, given: { readonly [bus: string]: number } = usual): Buses {
  expectArguments("play sounds", ["buses", given, "object"]);
  const gains = new Map<string, number>([["master", 1]]);

  function requireBus(bus: unknown, label: () => string): void {
    if (bus === "" || gains.has(bus as string)) return;
    throw new UnknownBusError(
      `Cannot use the bus ${describeValue(bus)} ${label()}: there is no such bus. ${nearestName(bus, [...gains.keys()])}`,
      { bus: String(bus), value: bus },
    );
  }

  function set(bus: string, gain: number): void {
    if (!(typeof gain === "number" && gain >= 0 && gain < Number.POSITIVE_INFINITY)) {
      throw new InvalidSoundError(
        `Cannot set the bus ${describeValue(bus)} to ${describeValue(gain)}: give a number of at least 0.`,
        { subject: String(bus), value: gain },
      );
    }
    gains.set(bus, gain);
    output.setBus(bus, gain);
  }

  for (const [bus, gain] of Object.entries(given)) set(bus, gain);
  return {
    require: requireBus,
    set(bus, gain) {
      requireBus(bus === "" ? undefined : bus, () => "as a setting");
      set(bus, gain);
    },
    gain(bus) {
      requireBus(bus === "" ? undefined : bus, () => "as a setting");
      return gains.get(bus)!;
    },
  };
}
