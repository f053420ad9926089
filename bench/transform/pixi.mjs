/**
 * pixi.js: Container under a stage that is a render group, as in its Application class. A frame brings the
 * world transforms up to date by `updateRenderGroupTransforms`, which is what the renderer calls before
 * it draws; `worldTransform` is read from that.
 */
import "../shared/headless.mjs";
import { Container, updateRenderGroupTransforms } from "pixi.js";
import { casesOf } from "./cases.mjs";

export const subjects = {
  pixi: { bundle: 'export { Container } from "pixi.js";', cases: casesOf(createSpace, { unable }) },
};

/** To build a million takes 5 s each time, and the checks of these cases need several. */
function unable(name, { size }) {
  const isLong = name === "build" || name === "destroy" || name === "churn";
  return size > 100_000 && isLong ? "too slow" : undefined;
}

const withChildren = { children: true };

function createSpace() {
  let stage = new Container({ isRenderGroup: true });

  function set(container, x, y, rotation, scaleX, scaleY) {
    container.position.set(x, y);
    container.rotation = rotation;
    container.scale.set(scaleX, scaleY);
  }

  function spawn(parent, x, y, rotation, scaleX, scaleY) {
    const container = new Container();
    set(container, x, y, rotation, scaleX, scaleY);
    (parent ?? stage).addChild(container);
    return container;
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
    spawn,
    set,
    move: (container, parent) => parent.addChild(container),
    destroy: (container) => container.destroy(withChildren),
    update: () => updateRenderGroupTransforms(stage.renderGroup, true),
    visit,
    restart() {
      stage = new Container({ isRenderGroup: true });
    },
    readWorld(container, out) {
      const { a, b, c, d, tx, ty } = container.worldTransform;
      out[0] = a;
      out[1] = b;
      out[2] = c;
      out[3] = d;
      out[4] = tx;
      out[5] = ty;
    },
    numberOf: (container) => container.uid,
    childrenOf: (container) => container.children,
    isAlive: (container) => !container.destroyed,
  };
}
