/** The tests of bad calls of some rooms. */
import { describe, expect, it } from "vitest";
import { callBadly, callsOfModule, callsOfObjects, type Result, type Stage } from "./runner.ts";
import { readSignatures } from "./signatures.ts";

export function describeBadCalls(
  what: string,
  modules: { readonly [name: string]: { readonly [name: string]: unknown } },
  makeStage: () => Stage,
): void {
  const signatures = readSignatures();
  const calls = [
    ...Object.entries(modules).flatMap(([name, module]) => callsOfModule(signatures, name, module)),
    ...callsOfObjects(signatures, makeStage),
  ];
  describe(`every call of ${what} with a bad value`, () => {
    it.each(calls)("$name ends in an answer or in an error with a code", async (call) => {
      const result: Result = { calls: 0, raw: [] };
      await callBadly(signatures, call, makeStage, result);
      expect(result.raw).toEqual([]);
    });
  });
}
