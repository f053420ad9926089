/**
 * bitecs 0.4, as users write a transform system on its relation: typed arrays for local and world, its
 * `Hierarchy` query for the entities with parents first, a column with the parent (asking the relation
 * costs 200 ns), a dirty flag per entity that the system passes down.
 */
import {
  addComponent,
  addEntity,
  createRelation,
  createWorld,
  entityExists,
  Hierarchy,
  query,
  removeEntity,
} from "bitecs";
import { casesOf } from "./cases.mjs";

export const subjects = { bitecs: { cases: casesOf(createSpace, { unable }) } };

/** At 10,000 nodes one cascade takes minutes; at 100,000 so does the first `Hierarchy` query. */
function unable(name, { size }) {
  return size > 10_000 || (name === "destroy" && size > 1000) ? "too slow" : undefined;
}

const ChildOf = createRelation({ exclusive: true, autoRemoveSubject: true });

function columns(count, room) {
  return Array.from({ length: count }, () => new Float32Array(room));
}

function createSpace(capacity) {
  const room = capacity + 1;
  let world = createWorld();
  const [x, y, cos, sin, scaleX, scaleY] = columns(6, room);
  const [a, b, c, d, tx, ty] = columns(6, room);
  const Local = { x, y, cos, sin, scaleX, scaleY };
  const parents = new Int32Array(room);
  const isDirty = new Uint8Array(room);
  const terms = [Local, Hierarchy(ChildOf)];
  let hasChanged = false;
  a[0] = d[0] = 1; // entity ids start at 1: the parent of the root is 0, the identity

  function set(id, newX, newY, rotation, newScaleX, newScaleY) {
    x[id] = newX;
    y[id] = newY;
    cos[id] = Math.cos(rotation);
    sin[id] = Math.sin(rotation);
    scaleX[id] = newScaleX;
    scaleY[id] = newScaleY;
    isDirty[id] = 1;
    hasChanged = true;
  }

  function spawn(parent, newX, newY, rotation, newScaleX, newScaleY) {
    const id = addEntity(world);
    addComponent(world, id, Local);
    if (parent !== undefined) addComponent(world, id, ChildOf(parent));
    parents[id] = parent ?? 0;
    set(id, newX, newY, rotation, newScaleX, newScaleY);
    return id;
  }

  function move(id, parent) {
    addComponent(world, id, ChildOf(parent));
    parents[id] = parent;
    isDirty[id] = 1;
    hasChanged = true;
  }

  function update() {
    if (!hasChanged) return;
    const ids = query(world, terms);
    for (let i = 0; i < ids.length; i++) {
      const id = ids[i];
      const up = parents[id];
      if ((isDirty[id] | isDirty[up]) === 0) continue;
      isDirty[id] = 1;
      const la = cos[id] * scaleX[id];
      const lb = sin[id] * scaleX[id];
      const lc = -sin[id] * scaleY[id];
      const ld = cos[id] * scaleY[id];
      a[id] = a[up] * la + c[up] * lb;
      b[id] = b[up] * la + d[up] * lb;
      c[id] = a[up] * lc + c[up] * ld;
      d[id] = b[up] * lc + d[up] * ld;
      tx[id] = a[up] * x[id] + c[up] * y[id] + tx[up];
      ty[id] = b[up] * x[id] + d[up] * y[id] + ty[up];
    }
    isDirty.fill(0);
    hasChanged = false;
  }

  let visitSum = 0;
  let visitCount = 0;
  function visitBelow(id) {
    visitSum = (visitSum + Math.imul(id, ++visitCount)) | 0;
    const children = query(world, [ChildOf(id)]);
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
    move,
    destroy: (id) => removeEntity(world, id),
    update,
    visit,
    restart() {
      world = createWorld();
    },
    readWorld(id, out) {
      out[0] = a[id];
      out[1] = b[id];
      out[2] = c[id];
      out[3] = d[id];
      out[4] = tx[id];
      out[5] = ty[id];
    },
    numberOf: (id) => id,
    childrenOf: (id) => query(world, [ChildOf(id)]),
    isAlive: (id) => entityExists(world, id),
  };
}
