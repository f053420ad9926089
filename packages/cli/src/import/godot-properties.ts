/**
 * The properties of a node of Godot.
 */
import { emptyRecord, fitsFloat } from "./imported.ts";
import type { GodotValue, Section } from "./tscn.ts";

/** Values are taken only if they have the expected form and fit into a field; all others stay and are kept as they are. */
export class Properties {
  private readonly left: { [name: string]: GodotValue };

  constructor(given: Section["properties"]) {
    this.left = Object.assign(emptyRecord<GodotValue>(), given);
  }

  rest(): Section["properties"] {
    return this.left;
  }

  takeNumber(name: string): number | undefined {
    const value = this.left[name];
    return isNumber(value) ? this.took(name, value) : undefined;
  }

  takeInteger(name: string): number | undefined {
    const value = this.left[name];
    return isNumber(value) && Number.isInteger(value) && Math.abs(value) < 2 ** 31
      ? this.took(name, value)
      : undefined;
  }

  takeBoolean(name: string): boolean | undefined {
    const value = this.left[name];
    return typeof value === "boolean" ? this.took(name, value) : undefined;
  }

  takePair(name: string): readonly [number, number] | undefined {
    return this.takeNumbers(name, ["Vector2"], 2) as readonly [number, number] | undefined;
  }

  /** The numbers of a value that is a call with one of these names. */
  takeNumbers(name: string, kinds: readonly string[], count: number): readonly number[] | undefined {
    const value = this.left[name];
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    for (const kind of kinds) {
      const numbers = (value as { readonly [kind: string]: GodotValue })[kind];
      if (!Array.isArray(numbers) || numbers.length !== count || !numbers.every(isNumber)) continue;
      return this.took(name, numbers as readonly number[]);
    }
    return undefined;
  }

  private took<Value>(name: string, value: Value): Value {
    delete this.left[name];
    return value;
  }
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && fitsFloat(value);
}
