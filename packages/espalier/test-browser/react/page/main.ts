/** Scenarios that hooks.test.ts runs in the page; each gives plain data to compare. */
import { component, createWorld, f32, not, resource, tag, type World } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createHistory } from "espalier/history";
import {
  useChildren,
  useComponent,
  useHas,
  useHistory,
  useParent,
  useQuery,
  useQueryFirst,
  useResource,
  useWorldTransform,
  WorldProvider,
  type WorldProviderProps,
} from "espalier/react";
import { createTransforms2D } from "espalier/transform";
import {
  createElement as h,
  memo,
  type ReactNode,
  StrictMode,
  startTransition,
  useLayoutEffect,
  useState,
} from "react";
import { createRoot, type Root } from "react-dom/client";
import { createRandom } from "../../../test/random.ts";

const Health = component("Health", { hp: f32(100) });
const Frozen = tag("Frozen");
const Gravity = resource("Gravity", () => 10);

function setUp() {
  const world = createWorld();
  const tree = createHierarchy(world);
  const space = createTransforms2D(tree);
  const history = createHistory(world);
  return { world, tree, space, history };
}

/** Shows something inside of a provider; `text()` is what the page reads. */
function show(parts: WorldProviderProps, content: ReactNode, isStrict = true) {
  const element = document.createElement("div");
  document.body.append(element);
  const root: Root = createRoot(element);
  const inside = h(WorldProvider, parts, content);
  root.render(isStrict ? h(StrictMode, null, inside) : inside);
  return { root, element, text: () => element.textContent ?? "" };
}

/** Waits until it holds, frame by frame. */
async function until(holds: () => boolean, what: string): Promise<void> {
  const end = performance.now() + 20_000;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`Waited in vain for ${what}.`);
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
}

/** What a world keeps of its observers; how often any began or ended is its version. */
interface ObserverCounts {
  readonly listeners: number;
  readonly listenerVersion: number;
  readonly onSpawn: readonly unknown[];
  readonly onDestroy: readonly unknown[];
}

/** The state of a world, which has no public name. */
function countsOf(world: World): ObserverCounts {
  return Reflect.get(world, Symbol.for("espalier.state")) as ObserverCounts;
}

/** How many observers are open, from now on. */
function countObservers(world: World): () => number {
  const counts = countsOf(world);
  const count = () => counts.listeners + counts.onSpawn.length + counts.onDestroy.length;
  const before = count();
  return () => count() - before;
}

const scenarios = {
  /** Every hook follows its answer, in strict mode. */
  async everyHook() {
    const { world, tree, space, history } = setUp();
    const tank = world.spawn(space.at(1, 2), Health);
    const turret = tree.attachNew(tank, space.at(10, 0));
    history.clear();
    function All() {
      const matrix = useWorldTransform(turret, space);
      const parts = [
        useQuery(Health, not(Frozen)).join("+") || "none",
        useQueryFirst(Health) ?? "nobody",
        useComponent(tank, Health)?.hp ?? "no health",
        useComponent(null, Health) === undefined,
        useHas(tank, Frozen),
        useChildren(tank).join("+") || "no child",
        useChildren(null).length,
        useParent(turret) ?? "root",
        matrix?.x ?? "dead",
        useResource(Gravity),
        useHistory().undoLabels.join("+") || "nothing",
      ];
      return parts.map(String).join(" ");
    }
    const shown = show({ world, tree, space, history }, h(All));
    const seen: string[] = [];
    const step = async (change: () => unknown) => {
      const before = shown.text();
      change();
      await until(() => shown.text() !== before, `a change of ${before}`);
      seen.push(shown.text());
    };
    await step(() => {});
    await step(() => history.step("hit", () => world.set(tank, Health, { hp: 40 })));
    await step(() => world.add(tank, Frozen));
    await step(() => tree.detach(turret));
    await step(() => world.setResource(Gravity, 3));
    await step(() => space.setPosition(turret, 7, 7));
    await step(() => world.destroy(tank));
    shown.root.unmount();
    return { seen, tank, turret };
  },

  /** Renders happen exactly when the answer changed. */
  async renderCounts() {
    const { world, tree, space, history } = setUp();
    const [tank, other] = [world.spawn(Health), world.spawn(Health)];
    const counts = { health: 0, query: 0, children: 0, parent: 0, has: 0 };
    const Hp = memo(() => {
      counts.health++;
      return String(useComponent(tank, Health)?.hp);
    });
    const List = memo(() => {
      counts.query++;
      return String(useQuery(Health, not(Frozen)).length);
    });
    const Kids = memo(() => {
      counts.children++;
      return String(useChildren(tank).length);
    });
    const Up = memo(() => {
      counts.parent++;
      return String(useParent(other));
    });
    const Has = memo(() => {
      counts.has++;
      return String(useHas(tank, Frozen));
    });
    const shown = show(
      { world, tree, space, history },
      [Hp, List, Kids, Up, Has].map((one, key) => h("i", { key }, h(one), " ")),
      false,
    );
    await until(() => shown.text() !== "", "the first picture");
    const after: (typeof counts)[] = [{ ...counts }];
    const step = async (change: () => void, text: string) => {
      change();
      await until(() => shown.text() === text, text);
      after.push({ ...counts });
    };
    // Many writes, and things that nobody asked for.
    await step(() => {
      for (let hp = 99; hp >= 50; hp--) world.set(tank, Health, { hp });
      world.set(other, Health, { hp: 1 });
      world.add(other, tag("Unrelated"));
      tree.attachNew(other);
    }, "50 2 0 null false ");
    await step(() => void world.spawn(Health), "50 3 0 null false ");
    await step(() => void tree.attachNew(tank), "50 3 1 null false ");
    await step(() => {
      tree.attach(tree.attachNew(null), tree.attachNew(null));
      world.add(tank, Frozen);
    }, "50 2 1 null true ");
    // There and back again is no change; the last line is only to have something to wait for.
    await step(() => {
      world.remove(tank, Frozen);
      world.add(tank, Frozen);
      world.set(tank, Health, { hp: 1 });
      world.set(tank, Health, { hp: 50 });
      tree.attach(other, tank);
    }, `50 2 2 ${tank} true `);
    shown.root.unmount();
    return after;
  },

  /** A slow render that the world changes under commits no mixture of old and new. */
  async tearing() {
    const { world, tree, space, history } = setUp();
    const tank = world.spawn(Health({ hp: 0 }));
    const commits: string[][] = [];
    let setShown: (shown: boolean) => void = () => {};
    const Slow = () => {
      const hp = useComponent(tank, Health)?.hp;
      const end = performance.now() + 2;
      while (performance.now() < end);
      return h("b", null, String(hp));
    };
    const Many = () => {
      const [isShown, set] = useState(false);
      setShown = set;
      useLayoutEffect(() => {
        commits.push([...document.querySelectorAll("b")].map((one) => one.textContent ?? ""));
      });
      return isShown ? Array.from({ length: 100 }, (_, key) => h(Slow, { key })) : null;
    };
    const shown = show({ world, tree, space, history }, h(Many), false);
    await until(() => commits.length > 0, "the first commit");
    startTransition(() => setShown(true));
    // React renders in slices of some milliseconds; between them the world goes on.
    let ticks = 0;
    while (shown.element.querySelectorAll("b").length === 0) {
      world.set(tank, Health, { hp: ++ticks });
      await new Promise((resolve) => setTimeout(resolve, 1));
      if (ticks > 5000) throw new Error("The transition never ends.");
    }
    world.set(tank, Health, { hp: -1 });
    const texts = () => [...shown.element.querySelectorAll("b")].map((one) => one.textContent ?? "");
    await until(() => texts().every((text) => text === "-1"), "the last value");
    shown.root.unmount();
    return {
      ticks,
      mixed: commits.filter((texts) => new Set(texts).size > 1).length,
      commits: commits.length,
    };
  },

  /** Strict mode mounts twice, and an unmount leaves nothing behind. Terms in place do not subscribe again. */
  async subscriptions() {
    const { world, tree, space, history } = setUp();
    const tank = world.spawn(Health);
    const open = countObservers(world);
    let again: (n: number) => void = () => {};
    const Inside = () => {
      const [n, set] = useState(0);
      again = set;
      useQuery(Health, not(Frozen));
      useComponent(tank, Health);
      return String(n);
    };
    const shown = show({ world, tree, space, history }, h(Inside));
    // React paints before it subscribes.
    await until(() => shown.text() === "0" && open() > 0, "the first picture and its observers");
    const { listenerVersion } = countsOf(world);
    const mounted = open();
    again(1);
    await until(() => shown.text() === "1", "the second picture");
    again(2);
    await until(() => shown.text() === "2", "the third picture");
    const begun = countsOf(world).listenerVersion - listenerVersion;
    const result = { mounted, afterRenders: open(), begun };
    shown.root.unmount();
    await until(() => open() === 0, "the end of all observers");
    return { ...result, unmounted: open() };
  },

  /** Random edits, in strict mode and with transitions: who renders, and how often, is what a model expects. */
  async randomRenders(seed: number) {
    const random = createRandom(seed);
    const { world, tree, space, history } = setUp();
    const at = (n: number) => Math.floor(random() * n);
    const all = Array.from({ length: 4 }, (_, k) => tree.attachNew(null, space.at(k, 0), Health({ hp: k })));
    const [one, two] = [all[0]!, all[1]!];
    const matrixOf = () =>
      world.isAlive(one) ? Object.values(space.worldOf(one)).map((n) => Math.round(n)) : "dead";
    /** What each hook gives, and what it must give. */
    const hooks: Record<string, readonly [() => unknown, () => unknown]> = {
      hp: [
        () => useComponent(one, Health)?.hp ?? "none",
        () => (world.isAlive(one) && world.has(one, Health) ? world.get(one, Health)!.hp : "none"),
      ],
      has: [() => useHas(two, Health, Frozen), () => world.isAlive(two) && world.has(two, Health, Frozen)],
      // As a set: the order of a query is that of the storage, and nobody is told of it.
      query: [
        () => [...useQuery(Health, not(Frozen))].sort(),
        () => world.query(Health, not(Frozen)).ids().sort(),
      ],
      first: [
        () => useQueryFirst(Frozen) ?? "nobody",
        () => {
          const ids = world.query(Frozen).ids();
          return ids.find((id) => String(id) === texts().first) ?? ids[0] ?? "nobody";
        },
      ],
      children: [() => [...useChildren(one)], () => (world.isAlive(one) ? tree.childrenOf(one) : [])],
      roots: [() => [...useChildren(null)], () => tree.childrenOf(null)],
      parent: [
        () => useParent(two) ?? "root",
        () => (world.isAlive(two) ? (tree.parentOf(two) ?? "root") : "root"),
      ],
      matrix: [
        () => {
          const found = useWorldTransform(one, space);
          return found === undefined ? "dead" : Object.values(found).map((n) => Math.round(n as number));
        },
        matrixOf,
      ],
      gravity: [() => useResource(Gravity), () => world.resource(Gravity)],
      history: [
        () => {
          const { undoLabels, redoLabels } = useHistory();
          return [undoLabels, redoLabels];
        },
        () => [history.undoLabels, history.redoLabels],
      ],
    };
    const commits: Record<string, number> = {};
    let bump: (n: number) => void = () => {};
    const Other = () => {
      const [n, set] = useState(0);
      bump = set;
      const end = performance.now() + 1;
      while (performance.now() < end);
      return h("i", { hidden: true }, n);
    };
    const parts = Object.entries(hooks).map(([name, [use]]) => {
      // biome-ignore lint/correctness/noComponentHookFactories: made once, for this scenario
      const Part = memo(() => {
        const answer = JSON.stringify(use());
        // Without a list of dependencies: once for every render that was committed.
        useLayoutEffect(() => {
          commits[name] = (commits[name] ?? 0) + 1;
        });
        return h("u", { id: name }, answer);
      });
      return h(Part, { key: name });
    });
    const shown = show({ world, tree, space, history }, [...parts, h(Other, { key: "other" })]);
    const answers = () =>
      Object.fromEntries(Object.entries(hooks).map(([name, [, read]]) => [name, JSON.stringify(read())]));
    const texts = () =>
      Object.fromEntries([...shown.element.querySelectorAll("u")].map((part) => [part.id, part.textContent]));
    const isShown = () => JSON.stringify(texts()) === JSON.stringify(answers());
    await until(isShown, "the first picture");
    // Strict mode mounts everything twice.
    await until(() => Object.keys(hooks).every((name) => commits[name] === 2), "the second mount");
    const edits = [
      () => all.push(tree.attachNew(random() < 0.5 ? null : some(), space.at(at(9), 0), Health)),
      () => world.add(some(), Frozen),
      () => world.remove(some(), Frozen),
      () => {
        const [entity, hp] = [some(), at(3)];
        if (world.has(entity, Health)) world.set(entity, Health, { hp });
      },
      () => world.add(some(), Health({ hp: at(3) })),
      () => world.remove(some(), Health),
      () => space.setPosition(some(), at(3), at(3)),
      () => {
        const [child, parent] = [some(), some()];
        if (tree.canAttach(child, parent)) tree.attach(child, parent);
      },
      () => tree.detach(some()),
      () => tree.destroy(some()),
      () => world.setResource(Gravity, at(3)),
      () => history.undo(),
      () => history.step("step", () => space.setPosition(some(), at(3), at(3))),
    ];
    const some = () => {
      const alive = all.filter((entity) => world.isAlive(entity));
      if (alive.length === 0) all.push(tree.attachNew(null, space.at(0, 0), Health));
      return alive[at(alive.length)] ?? all.at(-1)!;
    };
    const wrong: string[] = [];
    for (let round = 0; round < 60; round++) {
      const before = texts();
      const counted = { ...commits };
      // React is at work on something else while the world changes.
      if (random() < 0.4) startTransition(() => bump(round));
      for (let k = at(5); k >= 0; k--) edits[at(edits.length)]!();
      await until(isShown, `round ${round}: ${JSON.stringify(answers())} and not ${JSON.stringify(texts())}`);
      // Whatever else would render does so by then.
      for (let k = 0; k < 2; k++) await new Promise((resolve) => requestAnimationFrame(resolve));
      const after = texts();
      for (const name of Object.keys(hooks)) {
        const [renders, expected] = [commits[name]! - counted[name]!, before[name] === after[name] ? 0 : 1];
        if (renders !== expected)
          wrong.push(
            `round ${round}: ${name} rendered ${renders} times, from ${before[name]} to ${after[name]}`,
          );
      }
    }
    shown.root.unmount();
    return wrong;
  },

  /** Another world, or another entity, by a prop. */
  async otherProps() {
    const [first, second] = [setUp(), setUp()];
    const [a, b] = [first.world.spawn(Health({ hp: 1 })), first.world.spawn(Health({ hp: 2 }))];
    second.world.spawn(Health({ hp: 3 }));
    const Hp = ({ of }: { of: typeof a }) => String(useComponent(of, Health)?.hp);
    const element = document.createElement("div");
    document.body.append(element);
    const root = createRoot(element);
    const seen: string[] = [];
    for (const [world, entity, text] of [
      [first.world, a, "1"],
      [first.world, b, "2"],
      [second.world, a, "3"],
    ] as const) {
      root.render(h(WorldProvider, { world }, h(Hp, { of: entity })));
      await until(() => element.textContent === text, text);
      seen.push(element.textContent ?? "");
    }
    first.world.set(a, Health, { hp: 9 });
    second.world.set(a, Health, { hp: 4 });
    await until(() => element.textContent === "4", "4");
    root.unmount();
    return seen;
  },
};

Object.assign(window, { scenarios });
