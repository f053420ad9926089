/**
 * Checks the form of a batch from an untrusted source.
 */
import { describeValue } from "../../ecs/index.ts";
import { isObject } from "../arguments.ts";
import { InvalidPatchError } from "../errors.ts";
import type { ChangeBatch } from "./change-stream.ts";

/**
 * The entries of the patch are checked where they are used.
 * @param doing - Completes "Cannot …" in the message.
 * @throws InvalidPatchError
 */
export function requireBatch(batch: unknown, doing: string): ChangeBatch {
  const { epoch, from, to, patch, snapshot } = isObject(batch) ? batch : {};
  const isRight =
    typeof epoch === "string" &&
    isPosition(from) &&
    isPosition(to) &&
    from <= to &&
    Array.isArray(patch) &&
    (snapshot === undefined ||
      (Array.isArray(snapshot) && snapshot.every((name) => typeof name === "string")));
  if (isRight) return batch as unknown as ChangeBatch;
  throw new InvalidPatchError(
    `Cannot ${doing}: expected epoch, from, to and patch, got ${describeValue(batch)}. Pass what a change stream gave, or what decode() made of it.`,
    { value: batch },
  );
}

function isPosition(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
