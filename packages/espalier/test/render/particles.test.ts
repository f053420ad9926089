import { createWorld } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createParticles, createRecordingRenderer, ParticleEmitter } from "espalier/render";
import { createTransforms2D } from "espalier/transform";
import { describe, expect, it } from "vitest";
import { refusal } from "../testing.ts";

function setUp() {
  const world = createWorld();
  const tree = createHierarchy(world);
  const space = createTransforms2D(tree);
  return { world, tree, space, particles: createParticles(space) };
}

describe("particles", () => {
  it("are emitted at their rate, live for their time, and never exceed the limit", () => {
    const { world, space, particles } = setUp();
    const smoke = world.spawn(space.at(0, 0), ParticleEmitter({ rate: 10, lifetime: 0.55, max: 4 }));
    const counts = Array.from({ length: 10 }, () => {
      particles.step(0.1);
      return particles.of(smoke)!.count;
    });
    expect(counts.slice(0, 4)).toEqual([1, 2, 3, 4]);
    expect(Math.max(...counts)).toBe(4);
    world.set(smoke, ParticleEmitter, { on: false });
    particles.step(0.6);
    expect(particles.count).toBe(0);
  });

  it("stay behind in the world, or go with their entity", () => {
    const { world, space, particles } = setUp();
    const values = { rate: 0, speed: 0, lifetime: 9 };
    const trail = world.spawn(space.at(5, 0), ParticleEmitter(values));
    const aura = world.spawn(space.at(5, 0), ParticleEmitter({ ...values, worldSpace: false }));
    const renderer = createRecordingRenderer(space, { particles });
    for (const entity of [trail, aura]) particles.burst(entity, 1);
    space.setPosition(trail, 50, 0);
    space.setPosition(aura, 50, 0);
    renderer.render();
    const middle = ({ minX, maxX }: { minX: number; maxX: number }) => (minX + maxX) / 2;
    expect(middle(renderer.boundsOf(trail))).toBe(5);
    expect(middle(renderer.boundsOf(aura))).toBe(50);
  });

  it("fly in the direction of the emitter, and fall", () => {
    const { world, tree, space, particles } = setUp();
    const ship = world.spawn(space.at(0, 0));
    space.setRotation(ship, Math.PI / 2);
    const flame = tree.attachNew(
      ship,
      space.at(0, 0),
      ParticleEmitter({ rate: 0, speed: 10, spread: 0, lifetime: 9, gravityX: 3 }),
    );
    particles.burst(flame, 1);
    particles.step(1);
    const { x, y } = particles.of(flame)!;
    expect(x[0]).toBeCloseTo(3, 5);
    expect(y[0]).toBeCloseTo(10, 5);
  });

  it("are the same for the same seed", () => {
    const run = (seed: number) => {
      const { world, space, particles } = setUp();
      const smoke = world.spawn(
        space.at(0, 0),
        ParticleEmitter({ seed, speedSpread: 5, lifetimeSpread: 0.5 }),
      );
      for (let k = 0; k < 50; k++) particles.step(1 / 60);
      return [...particles.of(smoke)!.x];
    };
    expect(run(7)).toEqual(run(7));
    expect(run(7)).not.toEqual(run(8));
  });

  it("go with their emitter, and reuse their memory while it lives", () => {
    const { world, space, particles } = setUp();
    const smoke = world.spawn(space.at(0, 0), ParticleEmitter({ rate: 100 }));
    particles.step(0.1);
    const { x } = particles.of(smoke)!;
    for (let k = 0; k < 100; k++) particles.step(0.1);
    expect(particles.of(smoke)!.x).toBe(x);
    world.destroy(smoke);
    particles.step(0.1);
    expect([particles.count, particles.pools]).toEqual([0, 0]);
  });

  it("refuse invalid times and emitters that do not exist", () => {
    const { world, space, particles } = setUp();
    expect(() => particles.step(Number.NaN)).toThrow("Cannot step particles by NaN");
    expect(() => particles.step(-1)).toThrow("Cannot step particles by -1");
    const rock = world.spawn(space.at(0, 0));
    expect(refusal(world, () => particles.burst(rock, 1))).toContain("it has no ParticleEmitter");
  });
});
