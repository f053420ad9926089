import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { apiReports, undocumented } from "../../../scripts/api-report.mjs";
import { builtPackages } from "../../../scripts/workspace.mjs";

describe.each(builtPackages.map((folder) => [basename(folder), folder]))(
  "the reports of %s",
  (_name, folder) => {
    const reports = apiReports(folder!);

    it.each([...reports])("say what %s exports", (entry, report) => {
      const file = join(folder!, "api", `${entry}.md`);
      const checkedIn = existsSync(file) ? readFileSync(file, "utf8") : "";
      expect(report, `The surface of ${entry} has changed. If that is meant: npm run api, and commit.`).toBe(
        checkedIn.replaceAll("\r\n", "\n"),
      );
    });

    it("are of exports that have doc comments", () => {
      expect(undocumented(folder!)).toEqual([]);
    });

    it("are of entries that exist", () => {
      const files = readdirSync(join(folder!, "api"), { recursive: true, encoding: "utf8" });
      const entries = files
        .filter((file) => file.endsWith(".md"))
        .map((file) => file.replaceAll("\\", "/").slice(0, -3));
      expect(entries.sort()).toEqual([...reports.keys()].sort());
    });
  },
);
