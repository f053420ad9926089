/** Particles beside plain objects that do the same, and tilemaps beside a plain loop over their tiles. */
import { createCanvasRenderer, createCanvasTextures, createRecordingContext } from "espalier/canvas";
import { createHierarchy } from "espalier/hierarchy";
import { createParticles, EMPTY_TILE, ParticleEmitter, setTile, Tilemap } from "espalier/render";
import { createTransforms2D } from "espalier/transform";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { property, strictWorld } from "../testing.ts";

function setUp() {
  const world = strictWorld();
  const tree = createHierarchy(world);
  return { world, tree, space: createTransforms2D(tree) };
}

interface Plain {
  max: number;
  rate: number;
  lifetime: number;
  on: boolean;
  due: number;
  ages: number[];
}

describe("particles", () => {
  it("are as many, and as old, as plain objects that are emitted and age", () => {
    const action = fc.record({
      kind: fc.constantFrom(
        "spawn",
        "step",
        "step",
        "step",
        "burst",
        "set",
        "on",
        "destroy",
        "strip",
        "dress",
      ),
      a: fc.nat(20),
      n: fc.nat(12),
    });
    property(
      fc.array(action, { minLength: 5, maxLength: 80 }),
      (actions) => {
        const { world, space } = setUp();
        const particles = createParticles(space);
        const model = new Map<number, Plain>();
        const some = (k: number) => [...model.keys()][k % Math.max(model.size, 1)] as never;
        for (const { kind, a, n } of actions) {
          if (kind === "spawn" || model.size === 0) {
            // Powers of two: sums of them are exact in 32 bits.
            const values = { max: n, rate: n * 4, lifetime: 0.25 * (1 + (a % 4)) };
            const entity = world.spawn(space.at(a, n), ParticleEmitter(values));
            model.set(entity, { ...values, on: true, due: 0, ages: [] });
          } else if (kind === "step") {
            const dt = n / 16;
            particles.step(dt);
            for (const plain of model.values()) {
              plain.ages = plain.ages.map((age) => age + dt).filter((age) => age < plain.lifetime);
              if (!plain.on) continue;
              plain.due = Math.min(plain.due + plain.rate * dt, plain.max);
              for (; plain.due >= 1; plain.due--) if (plain.ages.length < plain.max) plain.ages.push(0);
            }
          } else if (kind === "burst") {
            const plain = model.get(some(a))!;
            particles.burst(some(a), n);
            for (let k = 0; k < n && plain.ages.length < plain.max; k++) plain.ages.push(0);
          } else if (kind === "set") {
            const plain = model.get(some(a))!;
            world.set(some(a), ParticleEmitter, { rate: n });
            plain.rate = n;
          } else if (kind === "on") {
            const plain = model.get(some(a))!;
            plain.on = n % 2 === 0;
            world.set(some(a), ParticleEmitter, { on: plain.on });
          } else {
            const entity = some(a);
            if (kind === "destroy") world.destroy(entity);
            else world.remove(entity, ParticleEmitter);
            model.delete(entity);
          }
          for (const [entity, plain] of model) {
            const pool = particles.of(entity as never);
            if (pool === undefined) expect(plain.ages).toEqual([]);
            else expect([...pool.age.subarray(0, pool.count)].sort()).toEqual([...plain.ages].sort());
          }
        }
        particles.step(0);
        expect(particles.pools).toBe(model.size);
        expect(particles.count).toBe([...model.values()].reduce((sum, { ages }) => sum + ages.length, 0));
      },
      150,
    );
  });

  it("stay finite numbers whatever values an emitter has", () => {
    const wild = fc.constantFrom(0, -1, 1e-30, 1e20, -3e38, 3e38, 0.5, 7);
    const values = fc.record({
      rate: wild,
      lifetime: wild,
      lifetimeSpread: wild,
      direction: wild,
      spread: wild,
      speed: wild,
      speedSpread: wild,
      gravityX: wild,
      gravityY: wild,
      size: wild,
      worldSpace: fc.boolean(),
    });
    property(
      fc.tuple(values, fc.array(fc.constantFrom(0, 0.016, 1, 1e6), { minLength: 1, maxLength: 6 })),
      ([given, steps]) => {
        const { world, space } = setUp();
        const particles = createParticles(space);
        const entity = world.spawn(space.at(1, 2), ParticleEmitter({ ...given, max: 8 }));
        space.setScale(entity, 0, 1e20);
        particles.burst(entity, 4);
        for (const dt of steps) {
          particles.step(dt);
          const { x, y, velocityX, velocityY, age, life, count } = particles.of(entity)!;
          for (const column of [x, y, velocityX, velocityY, age, life])
            expect([...column.subarray(0, count)].filter((value) => Number.isNaN(value))).toEqual([]);
        }
      },
      150,
    );
  });
});

describe("a tilemap", () => {
  it("draws each tile of the chunks in view once, as a plain loop does", () => {
    const edit = fc.record({
      kind: fc.constantFrom("tile", "tile", "tile", "size", "chunk", "tiles", "move", "draw"),
      a: fc.nat(11),
      b: fc.nat(11),
      tile: fc.integer({ min: -2, max: 9 }),
    });
    property(
      fc.array(edit, { minLength: 3, maxLength: 40 }),
      (edits) => {
        const { world, space } = setUp();
        const context = createRecordingContext();
        const textures = createCanvasTextures();
        // Four tiles in a row.
        textures.add("tiles", { width: 40, height: 40 } as unknown as ImageBitmap);
        const screen = { width: 64, height: 48 };
        const renderer = createCanvasRenderer(space, { ...screen, context, textures, yAxis: "down" });
        const side = { tileWidth: 10, tileHeight: 10 };
        const map = world.spawn(
          space.at(0, 0),
          Tilemap({ texture: "tiles", columns: 6, rows: 5, chunk: 2, tiles: [], ...side }),
        );
        const check = () => {
          context.calls.length = 0;
          renderer.invalidate();
          renderer.render();
          const found = context.calls
            .filter(([name]) => name === "drawImage")
            .map(([, , x, y, , , left, top]) => `${x},${y} at ${left},${top}`);
          expect(new Set(found).size).toBe(found.length);
          const { columns, rows, tiles } = world.get(map, Tilemap)!;
          const { x, y } = space.worldPosition(map);
          const all: string[] = [];
          const seen: string[] = [];
          for (let row = 0; row < rows; row++) {
            for (let column = 0; column < columns; column++) {
              const tile = tiles[row * columns + column] ?? EMPTY_TILE;
              if (tile < 0) continue;
              const text = `${(tile % 4) * 10},${Math.floor(tile / 4) * 10} at ${column * 10},${row * 10}`;
              all.push(text);
              const [left, top] = [x + column * 10, y + row * 10];
              if (left < screen.width && left + 10 > 0 && top < screen.height && top + 10 > 0)
                seen.push(text);
            }
          }
          expect(seen.filter((text) => !found.includes(text))).toEqual([]);
          expect(found.filter((text) => !all.includes(text))).toEqual([]);
        };
        for (const { kind, a, b, tile } of edits) {
          const { columns, rows } = world.get(map, Tilemap)!;
          if (kind === "tile" && columns * rows > 0) setTile(world, map, a % columns, b % rows, tile);
          else if (kind === "size") world.set(map, Tilemap, { columns: a, rows: b });
          else if (kind === "chunk") world.set(map, Tilemap, { chunk: a });
          else if (kind === "tiles")
            world.set(map, Tilemap, { tiles: Array.from({ length: a * b }, (_, k) => (k % 7) - 1) });
          else if (kind === "move") space.setPosition(map, a * 5 - 30, b * 5 - 30);
          else check();
        }
        check();
        renderer.dispose();
      },
      100,
    );
  });
});
