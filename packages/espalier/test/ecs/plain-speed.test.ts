/** Where a policy forbids code from text, loops must stay near the generated ones. */
import { component, createWorld, f32 } from "espalier";
import { describe, expect, it } from "vitest";

const count = 20_000;

type Point = { x: number; y: number };

/** Nanoseconds of processor time for one entity, in the best of several rounds: others use the machine too. */
function costOf(generate: boolean, move: (position: Point, velocity: Point) => void): number {
  const Position = component("Position", { x: f32(), y: f32() });
  const Velocity = component("Velocity", { x: f32(1), y: f32(1) });
  const world = createWorld({ generate, checks: false });
  world.spawnMany(count, Position, Velocity);
  const query = world.query(Position, Velocity);
  const round = () => query.update(move);
  for (let k = 0; k < 20; k++) round();
  let best = Number.POSITIVE_INFINITY;
  for (let k = 0; k < 30; k++) {
    const start = process.cpuUsage();
    for (let pass = 0; pass < 10; pass++) round();
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, ((user + system) * 1000) / (10 * count));
  }
  return best;
}

describe("update without generated code", () => {
  it("takes less than ten times as long", { retry: 2 }, () => {
    // Two functions: one that sees both kinds of views is slow with each.
    const generated = costOf(true, (position, velocity) => {
      position.x += velocity.x;
      position.y += velocity.y;
    });
    const plain = costOf(false, (position, velocity) => {
      position.x += velocity.x;
      position.y += velocity.y;
    });
    console.info(`update: ${generated.toFixed(1)} ns generated, ${plain.toFixed(1)} ns plain`);
    expect(plain / generated).toBeLessThan(10);
  });
});
