import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { missingEntries } from "../../scripts/complete-lockfile.mjs";
import { root } from "../structure/source-files.ts";

describe("the lockfiles", () => {
  const files = ["package-lock.json", "bench/package-lock.json", "site/package-lock.json"].filter((file) =>
    existsSync(join(root, file)),
  );

  it.each(files)("%s lists the packages of every platform (npm run lockfile adds them)", (file) => {
    const { packages } = JSON.parse(readFileSync(join(root, file), "utf8"));
    expect(missingEntries(packages).map(({ path }) => path)).toEqual([]);
  });
});

describe("missingEntries", () => {
  const tool = (version: string) => ({
    dev: true,
    optionalDependencies: { "@tool/linux-x64-gnu": version, "@tool/darwin-arm64": version },
  });

  it("puts a package beside the ones of its group that exist", () => {
    const packages = {
      "": {},
      "node_modules/tool": tool("1.0.0"),
      "node_modules/@tool/linux-x64-gnu": { version: "1.0.0" },
    };
    expect(missingEntries(packages)).toEqual([
      {
        path: "node_modules/@tool/darwin-arm64",
        entry: { version: "1.0.0", cpu: ["arm64"], os: ["darwin"], dev: true, optional: true },
      },
    ]);
  });

  it("does not take another version for the one that is wanted", () => {
    const packages = {
      "node_modules/tool": tool("1.0.0"),
      "node_modules/@tool/linux-x64-gnu": { version: "1.0.0" },
      "node_modules/@tool/darwin-arm64": { version: "1.0.0" },
      "node_modules/app/node_modules/tool": tool("2.0.0"),
      "node_modules/app/node_modules/@tool/linux-x64-gnu": { version: "2.0.0" },
    };
    const [missing, ...others] = missingEntries(packages);
    expect(missing?.path).toBe("node_modules/app/node_modules/@tool/darwin-arm64");
    expect(others).toEqual([]);
  });

  it("refuses to guess a version", () => {
    const packages = { "node_modules/tool": { optionalDependencies: { fsevents: "~2.3.2" } } };
    expect(() => missingEntries(packages)).toThrow("node_modules/tool wants fsevents ~2.3.2");
  });
});
