/**
 * Batches as bytes and back, without a world: for sockets, workers and logs.
 */
import { type AnyComponent, describeValue } from "../../../ecs/index.ts";
import { checkOptions } from "../../../ecs/internal.ts";
import { isObject, requireComponents, requirePart } from "../../arguments.ts";
import { DamagedBatchError, InvalidHistoryError } from "../../errors.ts";
import { requireStreamPatch } from "../../patch/patch.ts";
import type { ChangeBatch } from "../change-stream.ts";
import { requireBatch } from "../require-batch.ts";
import { readBatch } from "./read-batch.ts";
import { schemaHash, type WireComponent, wireComponents } from "./schema.ts";
import { type WireSchema, writeBatch } from "./write-batch.ts";

/** Options of `createChangeFormat`. */
export interface ChangeFormatOptions {
  /** All components that batches may name. */
  readonly components: readonly AnyComponent[];
  /** The names of the hierarchies that batches may name; `["tree"]` if left out. */
  readonly trees?: readonly string[];
}

/**
 * A binary form of batches. Both sides create it from the same components; a batch of another schema is refused. Columns are
 * written as they are
 * in memory (little-endian), keys as differences: a moved entity takes 9 to 10 bytes.
 *
 * @example
 * ```ts
 * const Health = component("Health", { hp: f32(100) });
 * const format = createChangeFormat({ components: [Health] });
 * const stream = followChanges(world, { trees: [tree] });
 * world.spawn(Health({ hp: 5 }));
 * const bytes = format.encode(stream.read());
 * format.decode(bytes).patch.length; // → 1
 * ```
 */
export function createChangeFormat(options: ChangeFormatOptions): ChangeFormat {
  const doing = "create a format";
  if (!isObject(options)) {
    throw new InvalidHistoryError(
      `Cannot ${doing}: it takes { components }, got ${describeValue(options)}. List the components that are sent.`,
      { value: options },
    );
  }
  checkOptions(true, doing, options, { components: "anything", trees: "anything" });
  const { components, trees = ["tree"] } = options;
  requireComponents(components ?? [], doing);
  const areNames = Array.isArray(trees) && trees.every((name) => typeof name === "string");
  requirePart(areNames, doing, "trees are an array of names", trees);
  return new ChangeFormat(wireComponents(components ?? []), trees);
}

/** Writes batches as bytes and reads them. Created by `createChangeFormat`. */
export class ChangeFormat {
  /** A hash of the components, their fields and the hierarchies: both sides must have the same. */
  readonly hash: number;
  private readonly schema: WireSchema;

  /** @internal Use `createChangeFormat`. */
  constructor(components: readonly WireComponent[], trees: readonly string[]) {
    this.hash = schemaHash(components, trees);
    this.schema = { hash: this.hash, components, trees };
  }

  /**
   * A batch as bytes.
   * @throws FormatMismatchError for parts that the format does not know; InvalidPatchError for a value that is not a batch.
   */
  encode(batch: ChangeBatch): Uint8Array {
    requireStreamPatch(requireBatch(batch, "encode a batch").patch, "encode a batch");
    return writeBatch(this.schema, batch);
  }

  /**
   * The batch that was encoded.
   * @throws FormatMismatchError when another schema or version wrote it; DamagedBatchError for bytes that are not a batch.
   */
  decode(bytes: Uint8Array | ArrayBuffer): ChangeBatch {
    if (bytes instanceof ArrayBuffer) return readBatch(this.schema, new Uint8Array(bytes));
    if (bytes instanceof Uint8Array) return readBatch(this.schema, bytes);
    throw new DamagedBatchError(
      `Cannot decode a batch: expected bytes, got ${describeValue(bytes)}. Pass what encode() gave.`,
      { value: bytes },
    );
  }
}
