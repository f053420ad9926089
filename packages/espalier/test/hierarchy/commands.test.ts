import { component, createCommands, type FlushResult, f32 } from "espalier";
import { checkTree, type HierarchyCommands, hierarchyCommands } from "espalier/hierarchy";
import { describe, expect, it } from "vitest";
import { atOnce } from "./at-once.ts";
import { drawn, plant, plantQuietly } from "./planting.ts";

const Health = component("Health", { hp: f32(100) });

function recording(text: string, options: Parameters<typeof plantQuietly>[1] = {}) {
  const planted = plantQuietly(text, options);
  const buffer = createCommands(planted.world);
  return { ...planted, buffer, later: hierarchyCommands(planted.tree, buffer) };
}

describe("hierarchyCommands", () => {
  const text = "p(a b c(d)) q(x y) z";
  const calls: { [what: string]: (it: HierarchyCommands, e: { [name: string]: never }) => void } = {
    attach: (it, e) => it.attach(e.z!, e.p!, { before: e.b! }),
    setParent: (it, e) => it.setParent(e.z!, e.q!),
    attachMany: (it, e) => it.attachMany([e.z!, e.x!], e.p!, { after: e.a! }),
    insertChildren: (it, e) => it.insertChildren(e.p!, 1, [e.z!, e.x!]),
    attachAll: (it, e) =>
      it.attachAll([
        [e.z!, e.x!],
        [e.q!, e.p!],
      ]),
    detach: (it, e) => it.detach(e.c!),
    detachMany: (it, e) => it.detachMany([e.c!, e.x!]),
    detachChildren: (it, e) => it.detachChildren(e.p!),
    replaceChildren: (it, e) => it.replaceChildren(e.p!, [e.x!, e.a!]),
    moveChild: (it, e) => it.moveChild(e.c!, { before: e.a! }),
    "moveChild by index": (it, e) => it.moveChild(e.c!, 0),
    swap: (it, e) => it.swap(e.a!, e.y!),
    isolate: (it, e) => it.isolate(e.c!),
    dissolve: (it, e) => it.dissolve(e.p!),
    sortChildren: (it, e) => it.sortChildren(e.p!, (a, b) => b - a),
    "sortChildren of the roots": (it) => it.sortChildren(null, (a, b) => b - a),
    setName: (it, e) => it.setName(e.z!, "renamed"),
    destroy: (it, e) => it.destroy(e.p!),
    "destroy with a policy": (it, e) => it.destroy(e.p!, { children: "adopt" }),
    "refused: a cycle": (it, e) => it.attach(e.p!, e.d!),
    "refused: not a child": (it, e) => it.moveChild(e.a!, { before: e.x! }),
  };

  it.each(Object.entries(calls))("does at the flush what the call does at once: %s", (what, call) => {
    const now = plant(text);
    try {
      call(atOnce(now.tree), now.e as never);
    } catch {
      // Compared below.
    }
    const { tree, e, buffer, later, errors } = recording(text);
    call(later, e as never);
    expect(drawn(tree)).toBe(text);
    const result = buffer.flush();
    expect(drawn(tree)).toBe(drawn(now.tree));
    expect(result.refused.length).toBe(what.startsWith("refused") ? 1 : 0);
    expect(errors.length).toBe(result.refused.length);
    expect(result.applied).toBe(1 - result.refused.length);
    expect(checkTree(tree)).toEqual([]);
  });

  it.each(Object.entries(calls).filter(([what]) => what !== "sortChildren of the roots"))(
    "is skipped when an entity it names has died: %s",
    (what, call) => {
      const { world, tree, e, buffer, later } = recording(text);
      call(later, e as never);
      for (const name of ["z", "p", "c", "x", "a"]) tree.destroy(e[name]!, { children: "orphan" });
      const before = drawn(tree);
      const result = buffer.flush();
      expect(drawn(tree)).toBe(before);
      expect(result.applied).toBe(0);
      expect(result.refused).toEqual([]);
      const name = `tree.${what.split(" ")[0]!.replace("refused:", what.includes("cycle") ? "attach" : "moveChild")}`;
      expect(result.skipped.map(({ label, reason }) => [label, reason])).toEqual([[name, "was destroyed"]]);
      expect(world.isAlive(result.skipped[0]!.entity)).toBe(false);
    },
  );

  it("are refused on a buffer of another world, and on what is not a buffer", () => {
    const { tree, buffer } = recording(text);
    for (const wrong of [recording(text).buffer, {}, tree, hierarchyCommands(tree, buffer)]) {
      expect(() => hierarchyCommands(tree, wrong as never)).toThrow(
        "Cannot record tree commands: the buffer is an object, not one that createCommands() returned for the world of the tree.",
      );
    }
  });

  it("refuses what the call would refuse, names it, and continues with the rest", () => {
    const { tree, e, buffer, later, errors } = recording("a(b) c");
    later.attach(e.a!, e.b!);
    later.attach(e.c!, e.b!);
    const result: FlushResult = buffer.flush();
    expect(result.refused.map(({ label, entity }) => [label, entity])).toEqual([["tree.attach", e.a]]);
    expect(errors.map((error) => error.message)).toEqual([
      'Command "tree.attach" of #1, recorded on buffer (unnamed), was refused: Cannot move a#1 under b#2: it would become its own ancestor (a#1 > b#2). Pick a parent outside it. [hierarchy/cycle] [ecs/command]',
    ]);
    expect(drawn(tree)).toBe("a(b(c))");
  });

  it("applies in recorded order: the last one wins", () => {
    const { tree, e, buffer, later } = recording("a b x");
    later.attach(e.x!, e.a!);
    later.attach(e.x!, e.b!);
    later.detach(e.x!);
    later.attach(e.x!, e.a!);
    buffer.flush();
    expect(drawn(tree)).toBe("a(x) b");
  });

  it("takes lists and options as they are when they are recorded", () => {
    const { tree, e, buffer, later } = recording("p(a b) x y");
    const list = [e.x!];
    const options: { at: number } = { at: 0 };
    later.attachMany(list, e.p!, options);
    list.push(e.y!);
    options.at = 2;
    buffer.flush();
    expect(drawn(tree)).toBe("p(x a b) y");
  });
});

describe("attachNew on commands", () => {
  it("gives a handle for further commands, and one event at the flush", () => {
    const { world, tree, e, buffer, later } = recording("p(a)");
    const reader = tree.events.reader();
    const child = later.attachNew(e.p!, Health({ hp: 5 }));
    const grandchild = later.attachNewAt(child, { at: 0 });
    later.setName(grandchild, "deep");
    later.attachNewAt(e.p!, { before: e.a! });
    expect(world.isAlive(child)).toBe(false);
    buffer.flush();
    expect(drawn(tree)).toBe("p(#5 a #3(deep))");
    expect(world.get(child, Health)).toEqual({ hp: 5 });
    expect(reader.read().map((event) => event.type)).toEqual(["added", "added", "added"]);
  });

  it("creates no entity when the parent is dead or refuses by then", () => {
    const { world, tree, e, buffer, later, errors } = recording("p q(a)", { maxChildren: 1 });
    const first = later.attachNew(e.p!, Health);
    const second = later.attachNew(e.q!);
    world.destroy(e.p!);
    const result = buffer.flush();
    expect(result.skipped.map(({ label, entity }) => [label, entity])).toEqual([["tree.attachNew", e.p]]);
    expect(result.refused.map(({ label }) => label)).toEqual(["tree.attachNew"]);
    expect(errors.length).toBe(1);
    expect([world.isAlive(first), world.isAlive(second)]).toEqual([false, false]);
    expect(drawn(tree)).toBe("q(a)");
  });

  it("leaves nothing behind when the buffer is discarded", () => {
    const { world, e, buffer, later } = recording("p");
    later.attachNew(e.p!);
    later.spawnTree({ children: [{}] });
    buffer.discard();
    expect(buffer.flush().applied).toBe(0);
    expect(world.count).toBe(1);
  });
});

describe("spawnTree on commands", () => {
  it("builds the tree at the flush, with handles before", () => {
    const { tree, e, buffer, later } = recording("p");
    const { root, all, named } = later.spawnTree(
      { name: "tank", with: [Health], children: [{ name: "turret" }, { children: [{ name: "wheel" }] }] },
      e.p!,
    );
    later.attach(named.wheel, named.turret);
    buffer.flush();
    expect(tree.find("/p/tank/turret/wheel")).toBe(named.wheel);
    expect(all).toEqual([root, named.turret, tree.childAt(root, 1), named.wheel]);
  });

  it("builds none of it when one node is refused", () => {
    const { world, tree, buffer, later } = recording("", { uniqueNames: true });
    later.spawnTree({ name: "a", children: [{ name: "b" }, { name: "b" }] });
    const result = buffer.flush();
    expect(result.refused.map(({ label }) => label)).toEqual(["tree.spawnTree"]);
    expect(world.count).toBe(0);
    expect(checkTree(tree)).toEqual([]);
  });
});
