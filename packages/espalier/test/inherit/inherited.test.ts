import { component, createWorld, type Entity, f32, f64, indexOf, object, string, u32 } from "espalier";
import { compactOrder, createHierarchy, flatOrder, Ghost } from "espalier/hierarchy";
import { createHistory } from "espalier/history";
import { createInherited, defineInherited } from "espalier/inherit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { property } from "../testing.ts";

const Opacity = component("Opacity", { value: f32(1) });
const opacity = defineInherited({
  name: "opacity",
  component: Opacity,
  initial: 1,
  combine: (parent, own) => parent * own.value,
});

const Team = component("Team", { name: string() });
const team = defineInherited({
  name: "team",
  component: Team,
  initial: null as string | null,
  combine: (_parent, own) => own.name,
});

/** Three numbers in one: red, green and blue multiply. */
interface Colour {
  readonly r: number;
  readonly g: number;
  readonly b: number;
}
const Tint = component("Tint", { r: f64(1), g: f64(1), b: f64(1) });
const tint = defineInherited({
  name: "tint",
  component: Tint,
  initial: { r: 1, g: 1, b: 1 } as Colour,
  combine: (parent, own) => ({ r: parent.r * own.r, g: parent.g * own.g, b: parent.b * own.b }),
  equals: (a, b) => a.r === b.r && a.g === b.g && a.b === b.b,
});

function createScene() {
  const world = createWorld({
    capacity: 4,
    onError: (error) => {
      throw error;
    },
  });
  return { world, tree: createHierarchy(world) };
}

describe("a custom inherited value", () => {
  it("multiplies down: opacity", () => {
    const { world, tree } = createScene();
    const shown = createInherited(tree, opacity);
    const panel = world.spawn(Opacity({ value: 0.5 }));
    const group = tree.attachNew(panel);
    const button = tree.attachNew(group, Opacity({ value: 0.5 }));
    expect([panel, group, button].map((e) => shown.of(e))).toEqual([0.5, 0.5, 0.25]);
    shown.propagate();
    expect(shown.column[flatOrder(tree).slotOf[button]!]).toBe(0.25);
    world.query(Opacity).update((own) => {
      own.value = 1;
    });
    expect([panel, group, button].map((e) => shown.of(e))).toEqual([1, 1, 1]);
  });

  it("is taken from the nearest ancestor that has one: team, a string", () => {
    const { world, tree } = createScene();
    const teams = createInherited(tree, team);
    const base = world.spawn(Team({ name: "red" }));
    const tower = tree.attachNew(base);
    const gun = tree.attachNew(tower);
    const spy = tree.attachNew(tower, Team({ name: "blue" }));
    expect([base, tower, gun, spy].map((e) => teams.of(e))).toEqual(["red", "red", "red", "blue"]);
    expect(teams.of(world.spawn())).toBe(null);
    world.remove(base, Team);
    expect([gun, spy].map((e) => teams.of(e))).toEqual([null, "blue"]);
    tree.attach(gun, spy);
    expect(teams.of(gun)).toBe("blue");
  });

  it("may be an object, from a component with an object: a style", () => {
    const Style = component("Style", { given: object<{ [key: string]: string }>(() => ({})) });
    const { world, tree } = createScene();
    const styles = createInherited(
      tree,
      defineInherited({
        name: "style",
        component: Style,
        initial: {} as { [key: string]: string },
        combine: (parent, own) => ({ ...parent, ...own.given }),
      }),
    );
    const page = world.spawn(Style({ given: { font: "serif", ink: "black" } }));
    const link = tree.attachNew(page, Style({ given: { ink: "blue" } }));
    expect(styles.of(link)).toEqual({ font: "serif", ink: "blue" });
    const given = { ink: "red" };
    world.set(link, Style, { given });
    given.ink = "green";
    world.touch(link, Style);
    expect(styles.of(link)).toEqual({ font: "serif", ink: "green" });
  });

  it("may have several numbers: as one object that is compared, or packed into one", () => {
    const { world, tree } = createScene();
    const tints = createInherited(tree, tint);
    const lamp = world.spawn(Tint({ r: 0.5 }));
    const bulb = tree.attachNew(lamp, Tint({ g: 0.5 }));
    tints.propagate();
    const reader = tints.changes();
    const before = tints.of(bulb);
    expect(before).toEqual({ r: 0.5, g: 0.5, b: 1 });
    tints.touchAll();
    tints.propagate();
    expect(reader.read().changed).toEqual([]);
    expect(tints.of(bulb)).toBe(before);
    world.set(lamp, Tint, { b: 0 });
    tints.propagate();
    expect(reader.read().changed).toEqual([lamp, bulb]);

    const Paint = component("Paint", { rgb: u32(0xffffff) });
    const times = (a: number, b: number) => Math.round((a * b) / 255);
    const paints = createInherited(
      tree,
      defineInherited({
        name: "paint",
        component: Paint,
        initial: 0xffffff,
        combine: (parent, own) =>
          (times(parent >> 16, own.rgb >> 16) << 16) |
          (times((parent >> 8) & 255, (own.rgb >> 8) & 255) << 8) |
          times(parent & 255, own.rgb & 255),
      }),
    );
    world.add(lamp, Paint({ rgb: 0xff8000 }));
    world.add(bulb, Paint({ rgb: 0x80ff80 }));
    expect(paints.of(bulb).toString(16)).toBe("808000");
  });

  it("is correct for entities that existed before", () => {
    const { world, tree } = createScene();
    const panel = world.spawn(Opacity({ value: 0.5 }));
    const button = tree.attachNew(panel, Opacity({ value: 0.5 }));
    expect(createInherited(tree, opacity).of(button)).toBe(0.25);
  });

  it("may be computed over several trees, and several times over one", () => {
    const { world, tree } = createScene();
    const other = createHierarchy(world, { name: "other" });
    const [one, two, three] = [tree, other, tree].map((t) => createInherited(t, opacity));
    const a = world.spawn(Opacity({ value: 0.5 }));
    const b = world.spawn(Opacity({ value: 0.5 }));
    tree.attach(b, a);
    other.attach(a, b);
    expect([one!.of(b), two!.of(b), three!.of(b)]).toEqual([0.25, 0.5, 0.25]);
    expect([one!.of(a), two!.of(a)]).toEqual([0.5, 0.25]);
  });

  it("is undone with the component", () => {
    const { world, tree } = createScene();
    const shown = createInherited(tree, opacity);
    const panel = world.spawn(Opacity({ value: 0.5 }));
    const button = tree.attachNew(panel);
    shown.propagate();
    const history = createHistory(world);
    history.step("Fade", () => world.set(panel, Opacity, { value: 0.25 }));
    shown.propagate();
    history.step("Delete", () => tree.destroy(panel));
    history.undo();
    expect(shown.of(button)).toBe(0.25);
    history.undo();
    expect(shown.of(button)).toBe(0.5);
    shown.propagate();
    expect(shown.of(button)).toBe(0.5);
  });

  it("is computed again completely after combine threw", () => {
    const { world, tree } = createScene();
    let fails = true;
    const shown = createInherited(
      tree,
      defineInherited({
        ...opacity,
        combine: (parent, own) => {
          if (fails && own.value === 0.5) throw new Error("not now");
          return parent * own.value;
        },
      }),
    );
    const panel = world.spawn(Opacity({ value: 0.25 }));
    const bad = tree.attachNew(panel, Opacity({ value: 0.5 }));
    const last = world.spawn(Opacity({ value: 0.125 }));
    expect(() => shown.propagate()).toThrow("not now");
    fails = false;
    expect([panel, bad, last].map((e) => shown.of(e))).toEqual([0.25, 0.125, 0.125]);
    expect(shown.propagate()).toBe(3);
    expect(shown.isClean).toBe(true);
  });

  it("is refused for dead entities", () => {
    const { world, tree } = createScene();
    const shown = createInherited(tree, opacity);
    const e = world.spawn();
    world.destroy(e);
    expect(() => shown.of(e)).toThrow("Cannot read opacity: #1 was destroyed.");
    expect(() => shown.touch(e)).toThrow("Cannot touch a value: #1 was destroyed.");
  });
});

describe("a definition", () => {
  it.each([
    [{ combine: undefined }, "it needs a component and a combine(parent, own) function."],
    [{ component: undefined }, "it needs a component and a combine(parent, own) function."],
    [{ component: "Opacity" }, "it needs a component and a combine(parent, own) function."],
    [{ equals: true }, "equals must be a function of two values."],
  ])("is refused when something is missing: %o", (change, why) => {
    expect(() => defineInherited({ ...opacity, ...change } as never)).toThrow(
      `Cannot define the inherited value "opacity": ${why} [inherit/invalid-definition]`,
    );
  });

  it("needs an initial value, which may be anything", () => {
    const { initial, ...rest } = opacity;
    expect(initial).toBe(1);
    expect(() => defineInherited(rest as never)).toThrow(
      "it needs an initial value, which roots start from.",
    );
    expect(() =>
      defineInherited({
        name: "team",
        component: Team,
        initial: undefined as string | undefined,
        combine: (_parent, own) => own.name,
      }),
    ).not.toThrow();
  });
});

describe("inherited values under random edits", () => {
  const step = fc.record({
    kind: fc.constantFrom(
      "spawn",
      "spawnBare",
      "set",
      "remove",
      "attach",
      "detach",
      "destroy",
      "ghost",
      "propagate",
      "compact",
    ),
    child: fc.nat(),
    parent: fc.nat(),
    value: fc.constantFrom(0, 0.5, 1, 1, 2),
  });

  it("are the product along the chain, and readers list exactly those that changed", () => {
    property(
      fc.array(step, { maxLength: 70 }),
      (steps) => {
        const { world, tree } = createScene();
        const shown = createInherited(tree, opacity);
        const teams = createInherited(tree, team);
        const reader = shown.changes();
        const slow = (entity: Entity) => {
          let [value, name]: [number, string | null] = [1, null];
          for (const e of [...tree.ancestors(entity, { includeSelf: true })].reverse()) {
            if (world.has(e, Ghost)) continue;
            value *= world.get(e, Opacity)?.value ?? 1;
            name = world.get(e, Team)?.name ?? name;
          }
          return [value, name] as const;
        };
        let before = new Map<Entity, number>();
        for (const { kind, child, parent, value } of steps) {
          const all = world.entities();
          const e = all[child % all.length];
          const above = all[parent % all.length] ?? null;
          const own = [Opacity({ value }), Team({ name: String(value) })];
          if (kind === "spawn") tree.attachNew(above, ...own);
          else if (kind === "spawnBare") tree.attachNew(parent % 3 === 0 ? null : above);
          if (e === undefined) continue;
          if (kind === "set") world.add(e, ...own);
          else if (kind === "remove") world.remove(e, Opacity, Team);
          else if (kind === "attach" && tree.canAttach(e, above)) tree.attach(e, above);
          else if (kind === "detach") tree.detach(e);
          else if (kind === "destroy") tree.destroy(e);
          else if (kind === "ghost") world.has(e, Ghost) ? world.remove(e, Ghost) : world.add(e, Ghost);
          else if (kind === "compact") compactOrder(tree);
          for (const entity of world.entities())
            expect([shown.of(entity), teams.of(entity)]).toEqual(slow(entity));
          if (kind !== "propagate") continue;
          shown.propagate();
          teams.propagate();
          const now = new Map(world.entities().map((entity) => [entity, shown.of(entity)]));
          for (const [entity, value] of now) expect([value, teams.of(entity)]).toEqual(slow(entity));
          const { added, changed, removed } = reader.read();
          const lived = [...now.keys()].filter((entity) => before.has(entity));
          expect(new Set(changed)).toEqual(
            new Set(lived.filter((entity) => before.get(entity) !== now.get(entity))),
          );
          expect(new Set(added)).toEqual(new Set([...now.keys()].filter((entity) => !before.has(entity))));
          expect(new Set(removed)).toEqual(new Set([...before.keys()].filter((entity) => !now.has(entity))));
          before = now;
        }
      },
      200,
    );
  });
});

describe("the loop over inherited values", () => {
  it.each([true, false])(
    "gives the same values when code generation is forbidden (generate: %s)",
    (generate) => {
      const world = createWorld({ generate });
      const tree = createHierarchy(world);
      const shown = createInherited(tree, opacity);
      const tints = createInherited(tree, tint);
      const root = world.spawn(Opacity({ value: 0.5 }), Tint({ g: 0.5 }));
      const bare = tree.attachNew(root);
      const leaf = tree.attachNew(bare, Opacity({ value: -0 }), Tint({ g: 0.5 }));
      shown.propagate();
      tints.propagate();
      expect([shown.of(bare), shown.of(leaf)]).toEqual([0.5, -0]);
      expect(tints.of(leaf)).toEqual({ r: 1, g: 0.25, b: 1 });
      const before = tints.of(leaf);
      world.set(root, Tint, { g: 0.25 });
      world.set(leaf, Tint, { g: 1 });
      tints.propagate();
      expect(tints.of(leaf)).toBe(before);
    },
  );
});

describe("many changes in a large tree", () => {
  it.each([1, 2, 63, 64, 65, 300])("are computed once each, in whatever order they came: %i", (changes) => {
    const { world, tree } = createScene();
    const shown = createInherited(tree, opacity);
    const root = world.spawn(Opacity);
    const panels = Array.from({ length: 2000 }, () => tree.attachNew(root, Opacity));
    const buttons = panels.map((panel) => tree.attachNew(panel, Opacity));
    compactOrder(tree);
    for (let frame = 0; frame < 3; frame++) {
      shown.propagate();
      // 1007 and 2000 have no common divisor: no panel comes twice.
      const changed = Array.from({ length: changes }, (_, k) => (k * 1007 + frame) % 2000);
      const value = 1 / (frame + 2);
      for (const k of changed) {
        world.set(buttons[k]!, Opacity, { value });
        world.set(panels[k]!, Opacity, { value });
      }
      expect(shown.propagate()).toBe(changes * 2);
      for (const k of changed) expect(shown.of(buttons[k]!)).toBeCloseTo(value * value, 6);
      for (const k of changed) world.set(buttons[k]!, Opacity, { value: 1 });
      for (const k of changed) world.set(panels[k]!, Opacity, { value: 1 });
      shown.propagate();
      expect(buttons.every((button) => shown.of(button) === 1)).toBe(true);
    }
  });
});

describe("a program that only reads and never lets a pass run", () => {
  it("keeps no list of all that came and went", () => {
    const { world, tree } = createScene();
    const shown = createInherited(tree, opacity);
    const { dirty } = (shown as unknown as { values: { flow: { dirty: { items: Int32Array } } } }).values
      .flow;
    const panel = world.spawn(Opacity({ value: 0.5 }));
    const kept = Array.from({ length: 50 }, () => tree.attachNew(panel, Opacity({ value: 0.5 })));
    for (let k = 0; k < 20_000; k++) {
      const spark = tree.attachNew(panel, Opacity({ value: 0.5 }));
      if (k % 1000 === 0) expect(shown.of(spark)).toBe(0.25);
      world.destroy(spark);
    }
    expect(dirty.items.length).toBeLessThan(1000);
    expect(shown.propagate()).toBe(51);
    expect(kept.every((entity) => shown.column[flatOrder(tree).slotOf[indexOf(entity)]!] === 0.25)).toBe(
      true,
    );
  });
});

describe("a chain of a million", () => {
  it("is computed and read without a stack of its own", () => {
    const count = 1_000_000;
    const world = createWorld({ capacity: count + 1 });
    const tree = createHierarchy(world);
    const Step = component("Step", { by: f64(1) });
    const depth = createInherited(
      tree,
      defineInherited({
        name: "depth",
        component: Step,
        initial: 0,
        combine: (parent, own) => parent + own.by,
      }),
    );
    const root = world.spawn(Step);
    let last = root;
    for (let k = 1; k < count; k++) last = tree.attachNew(last, Step);
    expect(depth.of(last)).toBe(count);
    expect(depth.propagate()).toBe(count);
    world.set(root, Step, { by: 5 });
    expect(depth.of(last)).toBe(count + 4);
    depth.propagate();
    expect(depth.of(last)).toBe(count + 4);
    expect(depth.propagate()).toBe(0);
  });
});
