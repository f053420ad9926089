import * as ecs from "espalier/ecs";
import { describe, expectTypeOf, it } from "vitest";

describe("espalier/ecs", () => {
  it("has types", () => {
    expectTypeOf(ecs).not.toBeAny();
  });
});
