import { describe, expect, it, vi } from "vitest";
import { steps, totalsOf } from "../../scripts/steps.mjs";

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

describe("steps", () => {
  it("goes on after a failure and adds everything up", () => {
    const print = vi.spyOn(console, "log").mockImplementation(() => {});
    const good = { title: "good", command: () => true };
    const bad = { title: "bad", command: () => false };
    expect(steps([good, bad, { title: "untried", projects: ["unit"], needs: bad }, good])).toEqual({
      passed: 2,
      failed: 2,
    });
    expect(print.mock.calls.flat()).toContain("Not run: bad failed.");
    print.mockRestore();
  });
});
