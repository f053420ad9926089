/**
 * koota, as users write a transform system on its relation: traits for local and world, read and written
 * through their stores; a list of the entities, parents first, kept by the system and rebuilt from
 * the relation when the tree has changed; a dirty flag per entity that the system passes down the list.
 */
import { createWorld, getStore, relation, trait } from "koota";
import { casesOf } from "./cases.mjs";

const ChildOf = relation({ exclusive: true, autoDestroy: "orphan" });
const Local = trait({ x: 0, y: 0, cos: 1, sin: 0, scaleX: 1, scaleY: 1 });
const World = trait({ a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0 });

export const subjects = { koota: { cases: casesOf(createSpace, { unable }) } };

/** A million entities take seconds to create, and as long to sort. */
function unable(_, { size }) {
  return size > 100_000 ? "too slow" : undefined;
}

function createSpace(capacity) {
  const world = createWorld();
  const isDirty = new Uint8Array(capacity + 2); // entity ids start at 1
  let hasChanged = false;
  let isStale = true; // the list below
  let root;
  let order = []; // ids, parents first
  let above = []; // the id of the parent of each
  world.spawn(Local, World).destroy(); // creates the stores
  const local = getStore(world, Local);
  const global = getStore(world, World);

  function write(id, x, y, rotation, scaleX, scaleY) {
    local.x[id] = x;
    local.y[id] = y;
    local.cos[id] = Math.cos(rotation);
    local.sin[id] = Math.sin(rotation);
    local.scaleX[id] = scaleX;
    local.scaleY[id] = scaleY;
    isDirty[id] = 1;
    hasChanged = true;
  }

  function set(entity, x, y, rotation, scaleX, scaleY) {
    write(entity.id(), x, y, rotation, scaleX, scaleY);
  }

  function spawn(parent, x, y, rotation, scaleX, scaleY) {
    const entity =
      parent === undefined ? world.spawn(Local, World) : world.spawn(Local, World, ChildOf(parent));
    if (parent === undefined) root = entity;
    write(entity.id(), x, y, rotation, scaleX, scaleY);
    isStale = true;
    return entity;
  }

  function move(entity, parent) {
    entity.add(ChildOf(parent));
    isDirty[entity.id()] = 1;
    hasChanged = true;
    isStale = true;
  }

  function sort() {
    order = [root.id()];
    above = [0];
    const open = [root];
    for (let at = 0; at < open.length; at++) {
      const parent = open[at];
      const children = world.query(ChildOf(parent));
      for (let i = 0; i < children.length; i++) {
        open.push(children[i]);
        order.push(children[i].id());
        above.push(parent.id());
      }
    }
    isStale = false;
  }

  function update() {
    if (!hasChanged) return;
    if (isStale) sort();
    const { x, y, cos, sin, scaleX, scaleY } = local;
    const { a, b, c, d, tx, ty } = global;
    for (let i = 0; i < order.length; i++) {
      const id = order[i];
      const up = above[i];
      if ((isDirty[id] | isDirty[up]) === 0) continue;
      isDirty[id] = 1;
      const la = cos[id] * scaleX[id];
      const lb = sin[id] * scaleX[id];
      const lc = -sin[id] * scaleY[id];
      const ld = cos[id] * scaleY[id];
      if (up === 0) {
        a[id] = la;
        b[id] = lb;
        c[id] = lc;
        d[id] = ld;
        tx[id] = x[id];
        ty[id] = y[id];
        continue;
      }
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
  function visitBelow(entity) {
    visitSum = (visitSum + Math.imul(entity, ++visitCount)) | 0;
    const children = world.query(ChildOf(entity));
    for (let i = 0; i < children.length; i++) visitBelow(children[i]);
  }
  function visit(from) {
    visitSum = 0;
    visitCount = 0;
    visitBelow(from);
    return visitSum;
  }

  return {
    spawn,
    set,
    move,
    destroy: (entity) => entity.destroy(),
    update,
    visit,
    restart() {
      if (world.has(root)) root.destroy();
    },
    readWorld(entity, out) {
      const { a, b, c, d, tx, ty } = entity.get(World);
      out[0] = a;
      out[1] = b;
      out[2] = c;
      out[3] = d;
      out[4] = tx;
      out[5] = ty;
    },
    numberOf: (entity) => entity,
    childrenOf: (entity) => world.query(ChildOf(entity)),
    isAlive: (entity) => world.has(entity),
  };
}
