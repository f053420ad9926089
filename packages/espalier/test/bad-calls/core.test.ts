import * as ecs from "espalier";
import * as hierarchy from "espalier/hierarchy";
import * as history from "espalier/history";
import * as inherit from "espalier/inherit";
import * as scene from "espalier/scene";
import * as transform from "espalier/transform";
import { describe, expect, it } from "vitest";
import { coreStage } from "./core-stage.ts";
import { callBadly, callsOfModule, callsOfObjects, type Result } from "./runner.ts";
import { readSignatures } from "./signatures.ts";

const signatures = readSignatures();

const calls = [
  ...Object.entries({ ecs, hierarchy, history, inherit, scene, transform }).flatMap(([name, module]) =>
    callsOfModule(signatures, name, module),
  ),
  ...callsOfObjects(signatures, coreStage),
];

describe("every call of the core with a bad value", () => {
  it.each(calls)("$name ends in an answer or in an error with a code", async (call) => {
    const result: Result = { calls: 0, raw: [] };
    await callBadly(signatures, call, coreStage, result);
    expect(result.raw).toEqual([]);
  });
});
