/** A game and its test in one file: created in a function, fed from a list, stepped, and compared as a whole tree. */
import assert from "node:assert/strict";
import { component, f32 } from "espalier";
import { createGame, message } from "espalier/game";
import { checkTree, printTree } from "espalier/hierarchy";

const Health = component("Health", { hp: f32(2) });
const Died = message<{ name: string }>("Died");

function createArena() {
  const game = createGame({ components: [Health], actions: { hit: ["Space"] } });
  const knight = game.spawn(Health);
  knight.name = "knight";
  knight.spawn().name = "sword";
  game.system("hit", () => {
    if (!game.input.pressed("hit") || !knight.isAlive) return;
    knight.set(Health, { hp: knight.get(Health).hp - 1 });
    if (knight.get(Health).hp > 0) return;
    game.send(Died, { name: "knight" });
    game.destroyEntity(knight, { children: "orphan" });
  });
  return { game, knight };
}

function test(name: string, run: () => void): void {
  run();
  console.log(`ok: ${name}`);
}

const press = ({ game }: ReturnType<typeof createArena>) => {
  game.input.feed({ type: "key", code: "Space", down: true });
  game.step();
  game.input.feed({ type: "key", code: "Space", down: false });
  game.step();
};

test("a hit takes one point", () => {
  const arena = createArena();
  press(arena);
  assert.equal(arena.knight.get(Health).hp, 1);
});

test("the second hit kills, once, and the sword stays", () => {
  const arena = createArena();
  const died: string[] = [];
  arena.game.listenFor(Died, ({ name }) => void died.push(name));
  for (let k = 0; k < 5; k++) press(arena);
  assert.deepEqual(died, ["knight"]);
  assert.equal(printTree(arena.game.tree, { components: false }), "sword#2");
});

test("nothing inside is broken afterwards", () => {
  const arena = createArena();
  press(arena);
  press(arena);
  assert.deepEqual(checkTree(arena.game.tree), []);
});
