/**
 * The events of a tree: one per change, subtrees that are added and removed, and lists that changed. A mirror of the tree is kept from
 * the events alone.
 */
import { createWorld, type Entity } from "espalier";
import {
  attachMany,
  createHierarchy,
  type HierarchyEvent,
  onChildrenChanged,
  sortChildren,
  spawnTree,
  watchSubtree,
} from "espalier/hierarchy";

const world = createWorld();
const tree = createHierarchy(world);
const { named } = spawnTree(tree, {
  name: "hall",
  children: [{ name: "shelf", children: [{ name: "book" }, { name: "lamp" }] }, { name: "table" }],
});
const { hall, shelf, book, lamp, table } = named;
const cart = world.spawn();
tree.setName(cart, "cart");
const names = new Map([hall, shelf, book, lamp, table, cart].map((e) => [e, tree.nameOf(e)]));
const name = (e: Entity | null) => (e === null ? "the roots" : names.get(e));

function tell(event: HierarchyEvent): string {
  switch (event.type) {
    case "added":
      return `${name(event.child)} was added to ${name(event.parent)} at ${event.index}`;
    case "removed":
      return `${name(event.child)} left ${name(event.parent)} (${event.cause})`;
    case "moved":
      return `${name(event.child)} moved from ${name(event.previousParent)} to ${name(event.newParent)}`;
    case "reordered":
      return `${name(event.parent)} has another order`;
  }
}

/** A copy of the lists of children, kept from events. */
const mirror = new Map<Entity, Entity[]>();
for (const parent of names.keys()) mirror.set(parent, tree.childrenOf(parent));
function follow(event: HierarchyEvent): void {
  const listOf = (parent: Entity | null) => (parent === null ? undefined : mirror.get(parent));
  if (event.type === "removed") listOf(event.parent)?.splice(event.index, 1);
  if (event.type === "added") listOf(event.parent)?.splice(event.index, 0, event.child);
  if (event.type === "moved") {
    listOf(event.previousParent)?.splice(event.previousIndex, 1);
    listOf(event.newParent)?.splice(event.index, 0, event.child);
  }
  if (event.type === "reordered" && event.child !== null) {
    listOf(event.parent)?.splice(event.previousIndex, 1);
    listOf(event.parent)?.splice(event.index, 0, event.child);
  }
  if (event.type === "reordered" && event.order !== null && event.parent !== null)
    mirror.set(event.parent, [...event.order]);
}

const reader = tree.events.reader();
watchSubtree(tree, hall, {
  joined: (top) => console.log(`  (${name(top)} and all below it came into the hall)`),
  left: (top, cause) => console.log(`  (${name(top)} went out of the hall: ${cause})`),
});
onChildrenChanged(tree, (parent) => {
  if (parent !== null && tree.childCount(parent) === 0) console.log(`  (${name(parent)} is empty)`);
});

function step(what: string, edit: () => void): void {
  console.log(what);
  edit();
  for (const event of reader.read()) {
    follow(event);
    console.log(`- ${tell(event)}`);
  }
}

step("The cart comes in.", () => tree.attach(cart, hall));
step("It comes in again: nothing happens.", () => tree.attach(cart, hall));
step("Book and lamp go onto the cart.", () => attachMany(tree, [lamp, book], cart));
step("They are sorted.", () => sortChildren(tree, cart, (a, b) => a - b));
step("The table goes to the front.", () => tree.moveChild(table, "first"));
step("The cart leaves with everything on it.", () => tree.detach(cart));
step("The lamp breaks.", () => world.destroy(lamp));
step("The hall burns down.", () => world.destroy(hall));

console.log(
  "The mirror agrees:",
  [...mirror].every(
    ([parent, list]) => !world.isAlive(parent) || String(list) === String(tree.childrenOf(parent)),
  ),
);
