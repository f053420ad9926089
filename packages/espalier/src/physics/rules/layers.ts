/**
 * Layers by name. The engine knows one bit for each.
 */
import { describeValue } from "../../ecs/index.ts";
import { InvalidPhysicsOptionsError } from "../errors.ts";
import type { ColliderShape } from "../shapes/shape.ts";

export class Layers {
  readonly names: readonly string[];
  /** The bits of all layers. */
  readonly all: bigint;
  private readonly bits = new Map<string, bigint>();

  /** @param limit How many the engine can distinguish. */
  constructor(names: readonly string[], limit: number) {
    if (names.length === 0 || names.length > limit) {
      throw new InvalidPhysicsOptionsError(
        `Cannot create physics with ${names.length} layers: the engine distinguishes 1 to ${limit}. Merge some of them.`,
        { option: "layers", limit },
      );
    }
    names.forEach((name, k) => {
      if (typeof name !== "string" || this.bits.has(name)) {
        throw new InvalidPhysicsOptionsError(
          `Cannot create physics with the layer ${describeValue(name)}: layers are strings, each once.`,
          { option: "layers", value: name },
        );
      }
      this.bits.set(name, 1n << BigInt(k));
    });
    this.names = names;
    this.all = (1n << BigInt(names.length)) - 1n;
  }

  /** The first of these names that is not a layer. */
  unknown(names: readonly string[]): string | undefined {
    return names.find((name) => !this.bits.has(name));
  }

  /** All layers if left out. */
  mask(names: readonly string[] | undefined): bigint {
    if (names === undefined) return this.all;
    let mask = 0n;
    for (const name of names) mask |= this.bits.get(name) ?? 0n;
    return mask;
  }

  /** The bit of the layer a shape is on. */
  category(shape: ColliderShape): bigint {
    return this.bits.get(shape.layer ?? this.names[0]) ?? 1n;
  }

  /** Why shapes cannot be on the layers they name; `undefined` when they can. */
  problemIn(shapes: readonly ColliderShape[]): string | undefined {
    for (let k = 0; k < shapes.length; k++) {
      const { layer, collidesWith = [] } = shapes[k] as ColliderShape;
      const unknown = this.unknown(layer === undefined ? collidesWith : [layer, ...collidesWith]);
      if (unknown === undefined) continue;
      return `shapes[${k}] names the layer ${describeValue(unknown)}, and there are ${this.names.join(", ")}. Add it to the layers of createPhysics.`;
    }
    return undefined;
  }
}
