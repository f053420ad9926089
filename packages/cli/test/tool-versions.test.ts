import { describe, expect, it } from "vitest";
import { toolVersions } from "../src/tool-versions.ts";

describe("a new project", () => {
  it.each(["22.12.0", "22.22.1", "24.0.0", "26.1.0", "30.0.0"])(
    "is tested with vitest 5 on Node %s",
    (node) => {
      expect(toolVersions(node)).toMatchObject({ vitest: "^5.0.0", node: "^22.12.0 || ^24.0.0 || >=26.0.0" });
    },
  );

  it.each(["20.19.0", "22.11.0", "23.5.0", "25.0.0"])(
    "is tested with vitest 4 on Node %s, which 5 refuses",
    (node) => {
      expect(toolVersions(node)).toMatchObject({ vitest: "^4.0.0", node: ">=20.19" });
    },
  );
});
