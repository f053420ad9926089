/** The tests of bad calls of some rooms. */
import { DEVELOPMENT } from "espalier";
import { describe, expect, it } from "vitest";
import { describeObjects } from "./objects.ts";
import {
  callBadly,
  callsOfModule,
  callsOfObjects,
  optionsOf,
  type Result,
  type Stage,
  withUnknownOption,
} from "./runner.ts";
import { readSignatures } from "./signatures.ts";

/** Calls that are handed the options of others: their callers know which there are. */
const takesAnyOption: ReadonlySet<string> = new Set([
  "ecs: checkOptions",
  "render: createRenderer",
  "render: requireRendererOptions",
]);

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
  describeObjects(what, calls, makeStage);
  const optional = calls
    .filter(({ name }) => !takesAnyOption.has(name))
    .flatMap((call) => optionsOf(call.signature).map((at) => ({ name: call.name, call, at })));
  if (optional.length === 0) return;
  describe.runIf(DEVELOPMENT)(`every call of ${what} that takes options`, () => {
    it.each(optional)("$name refuses one that does not exist", async ({ call, at }) => {
      expect(await withUnknownOption(call, at, makeStage)).toContain("nonsense: there is no such option");
    });
  });
}
