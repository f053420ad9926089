/**
 * pixi.js: Container. Without a stage above it, so that it only maintains the tree: under a render
 * group every change also queues an update.
 */
import "../shared/headless.mjs";
import { Container } from "pixi.js";
import { casesOf } from "./cases.mjs";

export const subjects = { pixi: { cases: casesOf(createTree) } };

const withChildren = { children: true };

function createTree() {
  function spawn(parent) {
    const container = new Container();
    if (parent) parent.addChild(container);
    return container;
  }

  function insertBefore(container, sibling) {
    const { parent } = sibling;
    parent.addChildAt(container, parent.getChildIndex(sibling));
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

  function climb(container) {
    let steps = 0;
    for (let up = container.parent; up !== null; up = up.parent) steps++;
    return steps;
  }

  function find(root, path) {
    let container = root;
    for (const label of path.split("/")) container = container.getChildByLabel(label);
    return container;
  }

  return {
    ordered: true,
    spawn,
    move: (container, parent) => parent.addChild(container),
    detach: (container) => container.removeFromParent(),
    insertBefore,
    destroy: (container) => container.destroy(withChildren),
    count: (container) => container.children.length,
    sumChildren,
    visit,
    climb,
    setName(container, name) {
      container.label = name;
    },
    find,
    numberOf: (container) => container.uid,
    parentOf: (container) => container.parent ?? undefined,
    childrenOf: (container) => container.children,
    isAlive: (container) => !container.destroyed,
    restart: () => undefined,
    perRun: { siblings: 32 },
  };
}
