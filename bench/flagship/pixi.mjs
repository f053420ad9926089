/**
 * pixi.js: Container under a stage that is a render group, as in its Application class; the data in a field
 * of the container. A frame brings the world transforms up to date by `updateRenderGroupTransforms`,
 * which is what the renderer calls before it draws.
 */
import "../shared/headless.mjs";
import { Container, updateRenderGroupTransforms } from "pixi.js";
import { casesOf } from "./cases.mjs";
import { seconds, xOf, yOf } from "./data.mjs";
import { createData, createList, spawnManyBy, spawnPrefabBy } from "./drawing.mjs";

export const subjects = { pixi: { cases: casesOf(createGame, { unable }) } };

/** To build a million takes 5 s each time. */
function unable(_, size) {
  return size > 100_000 ? "too slow" : undefined;
}

const withChildren = { children: true };
const dataOf = (container) => container.game;

function createGame() {
  let stage = new Container({ isRenderGroup: true });
  const { all, join, leave, damp, heal, dataValues } = createList(dataOf);

  function spawnPlace(parent, n) {
    const container = new Container();
    container.position.set(xOf(n), yOf(n));
    (parent ?? stage).addChild(container);
    return container;
  }

  function spawn(parent, n) {
    const container = spawnPlace(parent, n);
    container.game = createData(n);
    join(container);
    return container;
  }

  function leaveAll(container) {
    leave(container);
    const { children } = container;
    for (let i = 0; i < children.length; i++) leaveAll(children[i]);
  }

  function destroy(container) {
    leaveAll(container);
    container.destroy(withChildren);
  }

  function destroyAll() {
    stage.destroy(withChildren);
    stage = new Container({ isRenderGroup: true });
    all.length = 0;
  }

  function drift() {
    for (const container of all) {
      const { motion } = container.game;
      const { position } = container;
      position.set(position.x + motion.x * seconds, position.y + motion.y * seconds);
      container.rotation += motion.spin * seconds;
    }
  }
  function shiftAll(by, turn) {
    for (const container of all) {
      const { position } = container;
      position.set(position.x + by, position.y - by);
      container.rotation += turn;
    }
  }

  function sumWorlds(containers) {
    let sum = 0;
    for (let i = 0; i < containers.length; i++) {
      const { tx, ty } = containers[i].worldTransform;
      sum += tx + ty;
    }
    return sum;
  }

  function sumChildren({ children }) {
    let sum = 0;
    for (let i = 0; i < children.length; i++) sum = (sum + Math.imul(children[i].uid, i + 1)) | 0;
    return sum;
  }

  let visitSum = 0;
  let visitCount = 0;
  function visitBelow(container) {
    visitSum = (visitSum + Math.imul(container.uid, ++visitCount)) | 0;
    const { children } = container;
    for (let i = 0; i < children.length; i++) visitBelow(children[i]);
  }
  function visit(root) {
    visitSum = 0;
    visitCount = 0;
    visitBelow(root);
    return visitSum;
  }

  return {
    ordered: true,
    spawn,
    spawnPlace,
    spawnPrefab: spawnPrefabBy(spawn),
    spawnMany: spawnManyBy(spawn),
    setName(container, name) {
      container.label = name;
    },
    destroy,
    destroyAll,
    move: (container, parent) => parent.addChild(container),
    setLocal(container, x, y, rotation) {
      container.position.set(x, y);
      container.rotation = rotation;
    },
    shiftAll,
    damp,
    heal,
    drift,
    update: () => updateRenderGroupTransforms(stage.renderGroup, true),
    sumWorlds,
    sumChildren,
    visit,
    numberOf: (container) => container.uid,
    valuesOf: (container) => [
      container.position.x,
      container.position.y,
      container.rotation,
      ...dataValues(container),
    ],
    readWorld: ({ worldTransform: { tx, ty } }) => ({ x: tx, y: ty }),
    parentOf: (container) => (container.parent === stage ? undefined : container.parent),
    childrenOf: (container) => container.children,
    isAlive: (container) => !container.destroyed,
    count: () => all.length,
  };
}
