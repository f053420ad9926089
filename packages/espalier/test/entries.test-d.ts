import * as ecs from "espalier";
import { describe, expectTypeOf, it } from "vitest";

describe("espalier", () => {
  it("has types", () => {
    expectTypeOf(ecs).not.toBeAny();
  });
});
