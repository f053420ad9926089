/** `joinScene`, with its relay. */
import { joinScene } from "@espalier/collab";
import { openRelay } from "@espalier/collab/relay";
import { component, createWorld, f32 } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createSceneFormat } from "espalier/scene";
import { WebSocket } from "ws";
import { parentsOf } from "./parents.mjs";

globalThis.WebSocket ??= WebSocket;

const Health = component("Health", { hp: f32(100), armour: f32(5) });
const Place = component("Place", { x: f32(), y: f32() });
const format = createSceneFormat({ components: [Health, Place] });

function fill(size) {
  const tree = createHierarchy(createWorld({ checks: false }));
  const scene = format.createScene(tree);
  const all = [];
  for (let k = 0; k < size; k++) {
    const inits = [Health({ hp: k }), Place({ x: k + 1, y: k * 2 })];
    const entity = k === 0 ? tree.world.spawn(...inits) : tree.attachNew(all[(k - 1) >> 2], ...inits);
    if (k === 0) scene.add(entity, "root");
    all.push(entity);
  }
  return { scene, all };
}

const empty = () => format.createScene(createHierarchy(createWorld({ checks: false })));
const join = (relay, scene, name) =>
  joinScene(scene, { format, url: relay.url, room: "bench", user: { name }, timeout: 60_000 });

async function joining(size) {
  const relay = await openRelay();
  const first = await join(relay, fill(size).scene, "first");
  let session;
  return {
    async reset() {
      await session?.leave();
      session = undefined;
    },
    async run() {
      session = await join(relay, empty(), "second");
    },
    count: () => (session.scene.save() === first.scene.save() ? session.scene.tree.world.count : 0),
  };
}

async function moves(size) {
  const relay = await openRelay();
  const first = await join(relay, fill(2 * size).scene, "first");
  const second = await join(relay, empty(), "second");
  const sides = [first, second].map((session) => {
    const { tree } = session.scene;
    const [root] = session.scene.roots();
    return { session, tree, all: [...tree.descendants(root, { includeSelf: true })] };
  });
  let round = 0;
  return {
    reset() {
      round++;
    },
    async run() {
      const before = sides.map(({ session, tree, all }, side) => {
        for (const [child, parent] of parentsOf(size, side, round)) {
          if (tree.canAttach(all[child], all[parent])) tree.attach(all[child], all[parent]);
        }
        session.flush();
        return tree.version;
      });
      await Promise.all(sides.map(({ session, tree }, side) => untilMoved(session, tree, before[side])));
    },
    count: () => (first.scene.save() === second.scene.save() ? size : 0),
  };
}

/** Waits until the moves of the other side are here. */
function untilMoved(session, tree, version) {
  return new Promise((resolve) => {
    const stop = session.onChange(() => {
      if (tree.version === version) return;
      stop();
      resolve();
    });
  });
}

export const subjects = { espalier: { cases: { join: joining, moves } } };
