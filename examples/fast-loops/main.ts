/** One loop, four ways: readable, with views, with raw columns, compiled. All give the same numbers. */
import { compileLoop, component, createWorld, f32 } from "espalier";

const Position = component("Position", { x: f32(), y: f32() });
const Velocity = component("Velocity", { x: f32(), y: f32() });

const world = createWorld({ capacity: 20_000 });
for (let k = 0; k < 10_000; k++) world.spawn(Position, Velocity({ x: k % 7, y: k % 3 }));
const moving = world.query(Position, Velocity);

const ways: [string, () => void][] = [
  [
    "for … of, get and set",
    () => {
      for (const e of moving) {
        const [p, v] = [world.get(e, Position), world.get(e, Velocity)];
        if (p && v) world.set(e, Position, { x: p.x + v.x, y: p.y + v.y });
      }
    },
  ],
  [
    "update",
    () =>
      moving.update((p, v) => {
        p.x += v.x;
        p.y += v.y;
      }),
  ],
  [
    "run",
    () =>
      moving.run((ids, count, p, v) => {
        for (let k = 0; k < count; k++) {
          const e = ids[k] as number;
          p.x[e] = (p.x[e] as number) + (v.x[e] as number);
          p.y[e] = (p.y[e] as number) + (v.y[e] as number);
        }
      }),
  ],
  [
    "compileLoop",
    compileLoop(moving, ([ids, p, v]) => (count) => {
      for (let k = 0; k < count; k++) {
        const e = ids[k] as number;
        p.x[e] = (p.x[e] as number) + (v.x[e] as number);
        p.y[e] = (p.y[e] as number) + (v.y[e] as number);
      }
    }),
  ],
];

for (const [name, step] of ways) {
  step();
  let [x, y] = [0, 0];
  moving.update((p) => {
    x += p.x;
    y += p.y;
  });
  console.log(`${name}: ${x}, ${y}`);
}
