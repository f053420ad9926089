/** Random edits of instances of random prefabs, applied: what comes after is compared with the instance that was edited. */
import type { Entity } from "espalier";
import { attachNewAt, type Hierarchy } from "espalier/hierarchy";
import { type Instance, type Override, type Prefab, SceneError, type SceneFile } from "espalier/scene";
import fc from "fast-check";
import { expect, it } from "vitest";
import { property } from "../testing.ts";
import { fileOf, type Random, randomFiles, randomFrom, worldLines } from "./prefab-twin.ts";
import { Aim, createFormat, emptyTree, expectSound, Health, Position } from "./scenes.ts";

const format = createFormat();

interface Edited {
  readonly tree: Hierarchy;
  readonly prefab: Prefab;
  readonly instance: Instance;
  /** Another instance, which is never edited. */
  readonly other: Instance;
  readonly prefabs: { [name: string]: SceneFile };
}

function edited(random: Random): Edited {
  const files = randomFiles(random, 1 + random(5));
  // One that is composed takes no overrides: a prefab whose root is an instance of it does.
  if (files["0"]?.compose !== undefined) {
    files["9"] = files["0"];
    files["0"] = { entities: [{ id: "top", prefab: "9" }] };
  }
  const prefabs = Object.fromEntries(Object.entries(files).map(([name, file]) => [name, fileOf(file)]));
  const read = (name: string) => format.prefab(prefabs[name]!, { file: name, prefabs });
  const tree = emptyTree();
  const prefab = read("0");
  const instance = prefab.instantiate(tree, { name: "root" });
  const other = prefab.instantiate(tree, { name: "root" });
  const outside = tree.world.spawn();
  const inner = Object.keys(prefabs).filter((name) => name !== "0");
  for (let k = 1 + random(9); k > 0; k--) edit(tree, instance.root, outside, random, inner, read);
  return { tree, prefab, instance, other, prefabs };
}

/** Does one thing to the entities below `root`. Rarely something that cannot be part of a prefab. */
function edit(
  tree: Hierarchy,
  root: Entity,
  outside: Entity,
  random: Random,
  inner: readonly string[],
  read: (name: string) => Prefab,
): void {
  const { world } = tree;
  const all = [...tree.descendants(root, { includeSelf: true })];
  const any = () => all[random(all.length)]!;
  const e = any();
  const target = random(30) === 0 ? outside : any();
  const move = (entity: Entity, to: Entity) => {
    if (entity !== root && entity !== to && !tree.isAncestor(entity, to))
      tree.attach(entity, to, { at: random(3) });
  };
  const kind = random(10);
  if (kind === 0 && e !== root) tree.destroy(e);
  else if (kind === 1) move(e, target);
  else if (kind === 2) attachNewAt(tree, e, { at: random(3) }, Position({ x: random(9) }));
  else if (kind === 3) world.add(e, Health({ hp: random(9) }));
  else if (kind === 4) world.remove(e, random(2) === 0 ? Position : Aim);
  else if (kind === 5) world.add(e, Aim({ at: target }));
  else if (kind === 6 && e !== root) tree.setName(e, random(4) === 0 ? undefined : `n${random(4)}`);
  else if (kind === 7 && e !== root) tree.moveChild(e, random(2) === 0 ? "first" : "last");
  else if (kind === 8 && inner.length > 0) {
    // Some of its entities go elsewhere, and some of the others go below it.
    const added = read(inner[random(inner.length)]!).instantiate(tree, { parent: e });
    const parts = [...tree.descendants(added.root, { includeSelf: true })];
    for (let k = random(3); k > 0; k--) move(parts[random(parts.length)]!, any());
    move(any(), parts[random(parts.length)]!);
  } else if (kind === 9) {
    const added = tree.attachNew(e, Aim({ at: target }));
    tree.attachNew(added, Aim({ at: added }));
    move(any(), added);
  }
}

/** The overrides that can be part of a prefab. */
function shared(instance: Instance): Override[] {
  return instance.overrides().filter(({ own }) => own !== true);
}

const refusals = [
  "scene/outside-reference",
  "scene/outside-parent",
  "scene/removed-with-parts",
  "scene/other-form",
  "scene/applied-instance-lost",
];

/** An instance as text. Entities go by their number in it. */
function linesOf({ tree, root }: Instance): string[] {
  const numbers = new Map<Entity, number>();
  for (const entity of tree.descendants(root, { includeSelf: true })) numbers.set(entity, numbers.size);
  return worldLines(tree, [root], (entity) => String(numbers.get(entity) ?? "outside"));
}

/** The prefab's new form; nothing when that is refused, which changes nothing and says what to do. */
function applied({ tree, prefab, instance, other }: Edited, chosen: readonly Override[]): Prefab | undefined {
  const before = [linesOf(instance), linesOf(other), instance.overrides()];
  let next: Prefab | undefined;
  try {
    next = prefab.apply(instance, chosen);
  } catch (error) {
    if (!(error instanceof SceneError)) throw error;
    for (const { code } of error.problems) {
      const isTogether = code === "scene/cycle" || code === "scene/missing-reference";
      if (!isTogether) expect(refusals).toContain(code);
      else expect(error.message).toContain("also choose those that belong to them, or leave some out.");
    }
    expect([linesOf(instance), linesOf(other), instance.overrides()]).toEqual(before);
  }
  expect(linesOf(instance)).toEqual(before[0]);
  expectSound(tree);
  return next;
}

it("makes all instances equal to the edited one when everything is applied, including later ones", () => {
  property(
    fc.integer(),
    (seed) => {
      const made = edited(randomFrom(seed));
      const next = applied(made, shared(made.instance));
      if (next === undefined) return;
      const { tree, instance, other, prefabs } = made;
      const wanted = linesOf(instance);
      const again = format.prefab(next.save(), { file: "0", prefabs });
      for (const prefab of [next, again]) {
        expect(linesOf(prefab.instantiate(tree, { name: "root" }))).toEqual(wanted);
      }
      expect(linesOf(other)).toEqual(wanted);
      expect([...instance.overrides(), ...other.overrides()].filter(({ kind }) => kind !== "name")).toEqual(
        [],
      );
      expect(again.save()).toBe(next.save());
    },
    300,
  );
});

it("leaves what is not applied an override: without it the instance equals a new one", () => {
  property(
    fc.integer(),
    (seed) => {
      const random = randomFrom(seed);
      const made = edited(random);
      const { tree, prefab, instance, prefabs } = made;
      const saved = prefab.save();
      const chosen = shared(instance).filter(() => random(3) > 0);
      const next = applied(made, chosen);
      expect(prefab.save()).toBe(saved);
      if (next === undefined) return;
      if (chosen.length === 0) expect(next.save()).toBe(saved);
      expect(format.prefab(next.save(), { file: "0", prefabs }).save()).toBe(next.save());
      instance.revert();
      const fresh = next.instantiate(tree, { name: "root" });
      expect(linesOf(instance)).toEqual(linesOf(fresh));
      expectSound(tree);
    },
    300,
  );
});
