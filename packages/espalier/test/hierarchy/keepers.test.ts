import { createCommands, type Entity } from "espalier";
import { addKeeper, attachMany, hierarchyCommands, watchSubtree } from "espalier/hierarchy";
import { describe, expect, it } from "vitest";
import { drawn, plant, thrown } from "./planting.ts";

describe("keep", () => {
  function keeping(text: string) {
    const planted = plant(text);
    const { tree } = planted;
    const log: string[] = [];
    const name = (entity: Entity | null) => (entity === null ? "root" : tree.nameOf(entity));
    addKeeper(tree, "spot", (child, parent) => {
      log.push(`before ${name(child)}: ${name(tree.parentOf(child))} > ${name(parent)}`);
      return () => log.push(`after ${name(child)}: ${name(tree.parentOf(child))}`);
    });
    return { ...planted, log };
  }

  it("is called before the change and finished after it, by attach, detach and attachMany", () => {
    const { tree, e, log } = keeping("p(a) q b");
    tree.attach(e.a!, e.q!, { keep: "spot" });
    tree.detach(e.a!, { keep: "spot" });
    attachMany(tree, [e.a!, e.b!], e.p!, { keep: "spot" });
    expect(log).toEqual([
      "before a: p > q",
      "after a: q",
      "before a: q > root",
      "after a: root",
      "before a: root > p",
      "before b: root > p",
      "after a: p",
      "after b: p",
    ]);
  });

  it("is finished before listeners are called", () => {
    const { tree, e, log } = keeping("p a");
    watchSubtree(tree, e.p!, { joined: () => log.push("told") });
    tree.attach(e.a!, e.p!, { keep: "spot" });
    expect(log.slice(1)).toEqual(["after a: p", "told"]);
  });

  it("is called at the flush when commands attach", () => {
    const { world, tree, e, log } = keeping("p a");
    const buffer = createCommands(world);
    hierarchyCommands(tree, buffer).attach(e.a!, e.p!, { keep: "spot" });
    expect(log).toEqual([]);
    buffer.flush();
    expect(log.length).toBe(2);
  });

  it("changes nothing when it refuses, and when there is no handler", () => {
    const { tree, e, log } = keeping("p a b");
    addKeeper(tree, "secret", () => {
      throw new Error("cannot be kept");
    });
    expect(() => tree.attach(e.a!, e.p!, { keep: "secret" })).toThrow("cannot be kept");
    expect(() => attachMany(tree, [e.a!, e.b!], e.p!, { keep: "secret" })).toThrow("cannot be kept");
    expect(thrown(() => tree.attach(e.a!, e.p!, { keep: "world" })).message).toBe(
      'Cannot keep "world" while attaching: no handler for it is registered in tree (registered: "spot", "secret"). For "world", create the transforms of the tree first. [hierarchy/invalid-edit]',
    );
    expect(thrown(() => addKeeper(tree, "spot", () => () => {})).message).toBe(
      'Cannot add a handler for keep: "spot" to tree: it has one already. Use another name for the second. [hierarchy/invalid-edit]',
    );
    expect(drawn(tree)).toBe("p a b");
    expect(log).toEqual([]);
  });

  it("is not called when the parent stays the same", () => {
    const { tree, e, log } = keeping("p(a)");
    expect(tree.attach(e.a!, e.p!, { keep: "spot" })).toBe(false);
    expect(log).toEqual([]);
    expect(tree.detach(e.p!, { keep: "spot" })).toBe(false);
  });
});
