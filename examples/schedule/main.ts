/**
 * A cannon fires shells at a wall: systems in phases, a fixed step for the flight, commands for what is created and
 * destroyed, a channel that tells the rest of the program about hits, a set that is switched off, and a plugin.
 */
import {
  component,
  createChannel,
  createSchedule,
  createWorld,
  type Entity,
  f32,
  inspect,
  installPlugin,
  plugin,
  resource,
  tag,
  toTable,
} from "espalier";

const Position = component("Position", { x: f32() });
const Velocity = component("Velocity", { x: f32() });
const Health = component("Health", { hp: f32(100) });
const Shell = tag("Shell");
const Shots = resource("Shots", () => 0);

const world = createWorld();
const wall = world.spawn(Position({ x: 10 }), Health({ hp: 60 }));
const hits = createChannel<{ target: Entity; damage: number }>(world, "hits");
const shells = world.query(Position, Velocity, Shell);

const schedule = createSchedule(world, {
  phases: ["input", { name: "physics", fixedStep: 0.25 }, "react", "draw"],
  ambiguity: "error",
});

schedule.add({
  name: "fire",
  phase: "input",
  runIf: ({ tick }) => tick % 2 === 0,
  writes: [Shots],
  run: ({ world, commands }) => {
    commands.spawn(Position, Velocity({ x: 8 }), Shell);
    world.setResource(Shots, world.resource(Shots) + 1);
  },
});

schedule.addSet("flight");
schedule.add({
  name: "fly",
  set: "flight",
  phase: "physics",
  reads: [Velocity],
  writes: [Position],
  run: ({ dt }) =>
    shells.update((position, velocity) => {
      position.x += velocity.x * dt;
    }),
});

schedule.add({
  name: "hit",
  set: "flight",
  phase: "physics",
  after: "fly",
  reads: [Position],
  run: ({ commands }) =>
    shells.each((shell, position) => {
      if (!world.isAlive(wall) || position.x < 10) return;
      hits.emit({ target: wall, damage: 25 });
      commands.destroy(shell);
    }),
});

const wounds = hits.reader({ name: "wounds" });
const wounding = plugin("wounding", {
  components: [Health],
  systems: [
    {
      name: "wound",
      phase: "react",
      writes: [Health],
      run: ({ world, commands }) => {
        for (const { target, damage } of wounds) {
          const hp = (world.get(target, Health)?.hp ?? 0) - damage;
          world.set(target, Health, { hp });
          if (hp <= 0) commands.destroy(target);
        }
      },
    },
  ],
});
installPlugin(schedule, wounding);

schedule.add({
  name: "draw",
  phase: "draw",
  reads: [Position, Health],
  run: ({ tick, alpha }) => {
    const at = shells.ids().map((shell) => world.get(shell, Position)?.x.toFixed(1));
    const hp = world.isAlive(wall) ? world.get(wall, Health)?.hp : 0;
    console.log(`frame ${tick}  alpha ${alpha.toFixed(1)}  wall ${hp}  shells [${at.join(", ")}]`);
  },
});

console.log(
  `order: ${schedule
    .list()
    .map(({ name }) => name)
    .join(" > ")}`,
);
for (let frame = 0; frame < 12; frame++) schedule.run(0.4);

console.log(`shots: ${world.resource(Shots)}, the wall ${world.isAlive(wall) ? "stands" : "is gone"}`);
for (const row of toTable(shells)) console.log(JSON.stringify(row));
const [first] = shells.ids();
if (first !== undefined)
  console.log(
    inspect(world, first)
      .components.map(({ name }) => name)
      .join(", "),
  );

const { skipped } = schedule.run(0);
console.log(`skipped commands in the last run: ${skipped.length}`);

console.log(
  `sets: ${schedule
    .sets()
    .map(({ name, systems }) => `${name} (${systems.join(", ")})`)
    .join(", ")}`,
);
console.log("without the flight:");
schedule.disable("flight");
schedule.run(0.4);
