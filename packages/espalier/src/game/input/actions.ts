/**
 * Actions: what the player wants to do, mapped to keys, buttons and sticks.
 */
import { describeValue } from "../../ecs/index.ts";
import type { Point } from "../../transform/index.ts";
import { InvalidBindingError, UnknownActionError } from "../errors.ts";
import { suggest } from "../nearest.ts";
import type { Devices } from "./devices.ts";

/** Buttons by name, any of them: `["Space", "Mouse0", "Pad0"]`. */
export type ButtonBinding = readonly string[];

/** One axis from -1 to 1: buttons for both ends, and axes of gamepads. */
export interface AxisBinding {
  /** Pulls towards -1. */
  readonly negative?: ButtonBinding;
  /** Pulls towards 1. */
  readonly positive?: ButtonBinding;
  /** Axes of any gamepad: 0 is the left stick, left to right. */
  readonly axes?: readonly number[];
  /** How far an axis must move before it counts. 0.15 if left out. */
  readonly deadZone?: number;
}

/** Two axes, never longer than 1. `up` is positive, as in the game. */
export interface VectorBinding {
  /** Pulls x towards -1. */
  readonly left?: ButtonBinding;
  /** Pulls x towards 1. */
  readonly right?: ButtonBinding;
  /** Pulls y towards 1. */
  readonly up?: ButtonBinding;
  /** Pulls y towards -1. */
  readonly down?: ButtonBinding;
  /** Sticks of any gamepad: 0 is the left one. */
  readonly sticks?: readonly number[];
  /** How far a stick must move before it counts. 0.15 if left out. */
  readonly deadZone?: number;
}

/** What triggers an action. */
export type ActionBinding = ButtonBinding | AxisBinding | VectorBinding;

/** Actions by name. Plain data: it can be saved with the player's settings. */
export interface ActionMap {
  readonly [name: string]: ActionBinding;
}

const DEAD_ZONE = 0.15;
const axisKeys = ["negative", "positive", "axes", "deadZone"];
const vectorKeys = ["left", "right", "up", "down", "sticks", "deadZone"];
const buttonName = /^[A-Z][A-Za-z0-9]*$/;

export class Actions {
  /** The devices in the current step or, while the game is paused, in the current frame. */
  protected devices: Devices;
  private readonly map = new Map<string, ActionBinding>();

  /** @internal Use `game.input`. */
  constructor(devices: Devices, actions: ActionMap) {
    this.devices = devices;
    for (const [name, binding] of Object.entries(actions)) this.bind(name, binding);
  }

  /**
   * Maps an action, even one that is already mapped.
   * @throws InvalidBindingError for names that no button can have.
   */
  bind(name: string, binding: ActionBinding): void {
    if (typeof name !== "string" || name === "")
      throw new InvalidBindingError(`Cannot map an action named ${describeValue(name)}. Give it a name.`, {
        value: name,
      });
    checkBinding(name, binding);
    this.map.set(name, copyOf(binding));
  }

  /** The current mappings of all actions. A copy: writing to it changes nothing. */
  bindings(): ActionMap {
    return Object.fromEntries([...this.map].map(([name, binding]) => [name, copyOf(binding)]));
  }

  /** Whether one of the buttons of an action is held. */
  isDown(name: string): boolean {
    return this.buttonsOf(name).some((button) => this.devices.held.has(button));
  }

  /** Whether it went down in this step, and no other button held it already. */
  pressed(name: string): boolean {
    const buttons = this.buttonsOf(name);
    const { held, pressed } = this.devices;
    return (
      buttons.some((button) => pressed.has(button)) &&
      !buttons.some((button) => held.has(button) && !pressed.has(button))
    );
  }

  /** Whether it went up in this step, and no other button holds it. */
  released(name: string): boolean {
    const buttons = this.buttonsOf(name);
    return buttons.some((button) => this.devices.released.has(button)) && !this.isDown(name);
  }

  /** The value from -1 to 1. For an action with two axes: its x. */
  axis(name: string): number {
    const binding = this.require(name);
    if (isButtons(binding)) return this.isDown(name) ? 1 : 0;
    if (isVector(binding)) return this.vector(name).x;
    const { negative, positive, axes = [], deadZone = DEAD_ZONE } = binding as AxisBinding;
    const keys = this.held(positive) - this.held(negative);
    return clamp(axes.reduce((sum, axis) => sum + beyond(this.devices.axis(axis), deadZone), keys));
  }

  /** Two axes, y upwards; at most 1 long. */
  vector(name: string, out: { x: number; y: number } = { x: 0, y: 0 }): Point {
    const binding = this.require(name);
    if (isButtons(binding) || !isVector(binding)) {
      throw new InvalidBindingError(
        `Cannot read ${describeValue(name)} as a vector: it has one axis. Map left, right, up and down, or use axis().`,
        { subject: name },
      );
    }
    const { left, right, up, down, sticks = [], deadZone = DEAD_ZONE } = binding;
    let x = this.held(right) - this.held(left);
    let y = this.held(up) - this.held(down);
    for (const stick of sticks) {
      const stickX = this.devices.axis(stick * 2);
      // Gamepads count downwards.
      const stickY = -this.devices.axis(stick * 2 + 1);
      const length = Math.sqrt(stickX * stickX + stickY * stickY);
      if (length < deadZone) continue;
      x += stickX;
      y += stickY;
    }
    const length = Math.sqrt(x * x + y * y);
    out.x = length > 1 ? x / length : x;
    out.y = length > 1 ? y / length : y;
    return out;
  }

  private held(buttons: ButtonBinding = []): number {
    return buttons.some((button) => this.devices.held.has(button)) ? 1 : 0;
  }

  private buttonsOf(name: string): readonly string[] {
    const binding = this.require(name);
    if (isButtons(binding)) return binding;
    const parts = binding as Record<string, ButtonBinding | undefined>;
    return ["negative", "positive", "left", "right", "up", "down"].flatMap((key) => parts[key] ?? []);
  }

  private require(name: string): ActionBinding {
    const binding = this.map.get(name);
    if (binding !== undefined) return binding;
    throw new UnknownActionError(
      `Cannot read the action ${describeValue(name)}: it is not mapped. ${suggest(name, [...this.map.keys()], "actions")} Map it with createGame({ actions }) or input.bind().`,
      { value: name },
    );
  }
}

function isButtons(binding: ActionBinding): binding is ButtonBinding {
  return Array.isArray(binding);
}

function copyOf(binding: ActionBinding): ActionBinding {
  if (isButtons(binding)) return [...binding];
  const parts = Object.entries(binding) as [string, readonly unknown[] | number][];
  return Object.fromEntries(parts.map(([key, part]) => [key, Array.isArray(part) ? [...part] : part]));
}

function isVector(binding: AxisBinding | VectorBinding): binding is VectorBinding {
  return !("negative" in binding || "positive" in binding || "axes" in binding);
}

/** The part beyond the dead zone, scaled so that it begins at 0. */
function beyond(value: number, deadZone: number): number {
  const size = Math.abs(value);
  if (size <= deadZone) return 0;
  return (Math.sign(value) * (size - deadZone)) / (1 - deadZone);
}

function clamp(value: number): number {
  return Math.max(-1, Math.min(1, value));
}

function checkBinding(name: string, binding: ActionBinding): void {
  const lists = isButtons(binding) ? [["buttons", binding]] : Object.entries(binding ?? {});
  if (lists.length === 0 || typeof binding !== "object") {
    throw new InvalidBindingError(
      `Cannot map ${name} to ${describeValue(binding)}. Give an array of buttons, or an object with axes.`,
      { subject: name, value: binding },
    );
  }
  for (const [key, list] of lists as [string, unknown][]) {
    if (key === "deadZone") {
      if (typeof list === "number" && list >= 0 && list < 1) continue;
      throw new InvalidBindingError(
        `Cannot map ${name}: its deadZone is ${describeValue(list)}. Give a number from 0 to below 1.`,
        { subject: name, option: "deadZone", value: list },
      );
    }
    const isKnown = key === "buttons" || axisKeys.includes(key) || vectorKeys.includes(key);
    if (!isKnown || !Array.isArray(list)) {
      throw new InvalidBindingError(
        `Cannot map ${name}: ${describeValue(key)} is not a part of a binding. ${suggest(key, [...axisKeys, ...vectorKeys], "parts")}`,
        { subject: name, option: key },
      );
    }
    for (const item of list) {
      const isNumbers = key === "axes" || key === "sticks";
      const isRight = isNumbers
        ? Number.isInteger(item) && item >= 0
        : typeof item === "string" && buttonName.test(item);
      if (isRight) continue;
      throw new InvalidBindingError(
        `Cannot map ${name} to ${describeValue(item)}: ${isNumbers ? "axes and sticks are numbers from 0" : 'buttons are named like "KeyW", "Space", "Mouse0", "Touch", "Pad0"'}.`,
        { subject: name, value: item },
      );
    }
  }
}
