import { component, createWorld, f32 } from "espalier";
import { createHierarchy, printTree } from "espalier/hierarchy";
import { restoreSnapshot, takeSnapshot } from "espalier/history";
import { expect, it } from "vitest";
import { storedSubtree, storedWorld } from "./stored-snapshots.ts";

const Position = component("Position", { x: f32(), y: f32() });

function empty() {
  const world = createWorld();
  const tree = createHierarchy(world);
  return { world, tree, options: { trees: [tree], components: [Position] } };
}

const bytesOf = (text: string) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

it("a stored snapshot of a world is read, and written again with the same bytes", () => {
  const { world, tree, options } = empty();
  restoreSnapshot(world, bytesOf(storedWorld), options);
  expect(printTree(tree)).toBe("#2 [Position]\n└─ child#1v1");
  const [top] = world.query(Position);
  expect(world.get(top!, Position)).toEqual({ x: 1, y: 2 });
  expect(new Uint8Array(takeSnapshot(world, { trees: [tree] }))).toEqual(bytesOf(storedWorld));
});

it("a stored snapshot of a subtree is read, and written again with the same bytes", () => {
  const { world, tree, options } = empty();
  restoreSnapshot(world, bytesOf(storedWorld), options);
  const [top] = world.query(Position);
  world.set(top!, Position, { x: 9 });
  restoreSnapshot(world, bytesOf(storedSubtree), options);
  expect(world.get(top!, Position)).toEqual({ x: 1, y: 2 });
  expect(new Uint8Array(takeSnapshot(world, { root: top!, trees: [tree] }))).toEqual(bytesOf(storedSubtree));
});
