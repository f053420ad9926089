import { describe, expect, it, vi } from "vitest";
import { Pace } from "../src/devtool/pace.ts";

/** Runs what is due over a second of frames; each run takes so long. */
function runsInASecond(pace: Pace, cost: number): number {
  let clock = 0;
  const now = vi.spyOn(performance, "now").mockImplementation(() => clock);
  let runs = 0;
  try {
    for (let frame = 0; frame < 60; frame++) {
      const time = frame * 16;
      if (!pace.isDue(time)) continue;
      pace.run(time, () => {
        runs++;
        clock += cost;
      });
    }
  } finally {
    now.mockRestore();
  }
  return runs;
}

describe("the pace of what a tool shows", () => {
  it("is as given while it is cheap", () => {
    expect(runsInASecond(new Pace(100, 0.01), 0.1)).toBe(9);
  });

  it("becomes slower with its cost, and never stops", () => {
    expect(runsInASecond(new Pace(100, 0.01), 2)).toBe(5);
    expect(runsInASecond(new Pace(100, 0.01), 7)).toBe(2);
    expect(runsInASecond(new Pace(100, 0.01), 50)).toBe(1);
  });

  it("counts what it costs afterwards, and keeps to the longest wait it was given", () => {
    const pace = new Pace(100, 0.01, 3000);
    pace.run(0, () => {}, 5);
    expect([pace.isDue(400), pace.isDue(600)]).toEqual([false, true]);
    const dear = new Pace(100, 0.01, 3000);
    dear.run(0, () => {}, 500);
    expect([dear.isDue(2990), dear.isDue(3000)]).toEqual([false, true]);
  });

  it("does not wait after the shown entity changed", () => {
    const pace = new Pace(100, 0.01);
    pace.run(1000, () => {});
    expect(pace.isDue(1010)).toBe(false);
    pace.hurry();
    expect(pace.isDue(1010)).toBe(true);
  });
});
