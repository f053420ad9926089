/**
 * The tables of the guides name calls that no snippet runs: `tree.attach(child, parent)`. Those of well-known objects are looked
 * up on real ones, so that a renamed call is found in every table.
 */
import { describe, expect, it } from "vitest";
import { read, repositoryFiles } from "../structure/source-files.ts";

type Makers = {
  readonly [name: string]: (...values: unknown[]) => object & { readonly [member: string]: object };
};
/** By a name that the compiler does not follow: programs here do not include the source of the library. */
const load = (name: string): Promise<Makers> => import(name);

const { createCommands, createSchedule, createWorld } = await load("espalier");
const { createHierarchy } = await load("espalier/hierarchy");
const { createTransforms2D, createTransforms3D } = await load("espalier/transform");
const { createHistory } = await load("espalier/history");
const { createGame } = await load("espalier/game");

const world = createWorld!();
const tree = createHierarchy!(world);
const space = createTransforms2D!(tree);
const solid = createTransforms3D!(createHierarchy!(createWorld!()));
const game = createGame!();
const spawn = game.spawn as unknown as () => object;

const known: { readonly [name: string]: readonly object[] } = {
  world: [world],
  tree: [tree],
  space: [space, solid],
  history: [createHistory!(world)],
  commands: [createCommands!(world)],
  schedule: [createSchedule!(world)],
  game: [game],
  entity: [spawn.call(game)],
  "game.input": [game.input!],
  "game.timers": [game.timers!],
};

/** Members that code in backticks asks of the known objects, such as `tree.attach`; only where it stands at the start. */
function namedCalls(text: string): { object: string; member: string }[] {
  const prose = text.replace(/^```[\s\S]*?^```/gm, "");
  const calls = [...prose.matchAll(/`((?:game\.(?:input|timers)|[a-z]+))\.([a-zA-Z]+)[^`]*`/g)];
  return calls
    .map((match) => ({ object: match[1]!, member: match[2]! }))
    .filter(({ object }) => Object.hasOwn(known, object));
}

const pages = repositoryFiles().filter((path) => /^docs\/guide\/[^/]+\.md$/.test(path));
/** Other libraries have worlds and renderers too: the first cell of a row of these pages is theirs. */
const ours = (path: string, text: string) =>
  path.includes("coming-from") ? text.replace(/^\|[^|]*\|/gm, "|").replace(/^In [a-zA-Z.]+.*$/gm, "") : text;

describe("calls that guides name in prose and tables", () => {
  it("exist", () => {
    const missing = read(pages).flatMap(({ path, text }) =>
      namedCalls(ours(path, text))
        .filter(({ object, member }) => !known[object]!.some((value) => member in value))
        .map(({ object, member }) => `${path}: ${object}.${member}`),
    );
    expect(missing).toEqual([]);
  });

  it("are found at the start of code in backticks, and not in programs", () => {
    const text =
      "`tree.nope(a)` and `game.input.nope` and `x.tree.a` and `map.get`\n\n```ts\n`tree.b`\n```\n";
    expect(namedCalls(text)).toEqual([
      { object: "tree", member: "nope" },
      { object: "game.input", member: "nope" },
    ]);
  });
});
