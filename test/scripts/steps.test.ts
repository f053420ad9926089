import { fileURLToPath } from "node:url";
import { describe, expect, it, vi } from "vitest";
import { namesOfFailures, namesOfSkipped, steps, totalsOf } from "../../scripts/steps.mjs";

const report = (passed: number, failed: number, files: { status: string; tests: string[] }[] = []) =>
  JSON.stringify({
    numPassedTests: passed,
    numFailedTests: failed,
    testResults: files.map(({ status, tests }) => ({
      status,
      assertionResults: tests.map((test) => ({ status: test })),
    })),
  });

describe("totalsOf", () => {
  it("counts the tests of a report", () => {
    const files = [{ status: "failed", tests: ["failed", "failed", "passed"] }];
    expect(totalsOf(report(7, 2, files), 1)).toEqual({ passed: 7, failed: 2 });
    expect(totalsOf(report(7, 0), 0)).toEqual({ passed: 7, failed: 0 });
  });

  it("counts a file that could not be loaded", () => {
    const files = [
      { status: "failed", tests: [] },
      { status: "failed", tests: ["failed"] },
    ];
    expect(totalsOf(report(7, 1, files), 1)).toEqual({ passed: 7, failed: 2 });
  });

  it("counts a run that fails without a failed test, or leaves no report", () => {
    expect(totalsOf(report(7, 0), 1)).toEqual({ passed: 7, failed: 1 });
    expect(totalsOf(undefined, 0)).toEqual({ passed: 0, failed: 1 });
  });
});

describe("namesOfSkipped", () => {
  it("names the tests that a machine could not run", () => {
    const name = fileURLToPath(new URL("../../test/a.test.ts", import.meta.url));
    const assertionResults = [
      { status: "passed", fullName: "a works" },
      { status: "skipped", fullName: "a needs Redis" },
    ];
    expect(namesOfSkipped(JSON.stringify({ testResults: [{ name, assertionResults }] }))).toEqual([
      "test/a.test.ts > a needs Redis",
    ]);
  });
});

describe("namesOfFailures", () => {
  it("names the tests that failed and the files that could not be loaded, with what they said first", () => {
    const file = (name: string, status: string, tests: object[], message = "") => ({
      name: fileURLToPath(new URL(`../../${name}`, import.meta.url)),
      status,
      message,
      assertionResults: tests,
    });
    const testResults = [
      file("test/a.test.ts", "failed", [
        { status: "passed", fullName: "a works" },
        {
          status: "failed",
          fullName: "a fails",
          failureMessages: ["expected 1 to be 2\n    at a.test.ts:3"],
        },
      ]),
      file("test/b.test.ts", "failed", [], "Cannot find module\nat b"),
      file("test/c.test.ts", "passed", [{ status: "passed", fullName: "c works" }]),
    ];
    expect(namesOfFailures(JSON.stringify({ testResults }))).toEqual([
      "test/a.test.ts > a fails: expected 1 to be 2",
      "test/b.test.ts: Cannot find module",
    ]);
  });
});

describe("steps", () => {
  it("continues after a failure and adds everything up", () => {
    const print = vi.spyOn(console, "log").mockImplementation(() => {});
    const good = { title: "good", command: () => true };
    const bad = { title: "bad", command: () => false };
    expect(steps([good, bad, { title: "untried", projects: ["unit"], needs: bad }, good])).toEqual({
      passed: 2,
      failed: 2,
    });
    expect(print.mock.calls.flat()).toContain("Not run: bad failed.");
    expect(print.mock.calls.flat()).toContain("\nFailed:\n  bad\n  untried");
    print.mockRestore();
  });
});
