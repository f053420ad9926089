/**
 * The limit in JavaScript: local and world transforms as records of 8 floats in slots, parents first,
 * each subtree a contiguous range of slots; one loop over a range. Slot 0 is the identity, above all roots.
 *
 * Links as in the limit of the hierarchy suite keep the tree. `churn` follows them instead of keeping
 * the slots in order: a lower bound for one frame, but not for the frames after it.
 */
import { casesOf } from "./cases.mjs";

export const subjects = {
  "limit-js": { cases: casesOf(createSpace, { without: ["full_churned"], unable }) },
};

function unable(_, { shape }) {
  return shape === "scattered" ? "slots unsorted" : undefined;
}

function createSpace(capacity) {
  const room = capacity + 1;
  const locals = new Float32Array(room * 8); // x y cos sin scaleX scaleY rotation -
  const worlds = new Float32Array(room * 8); // a b c d tx ty - -
  const [parents, first, last, previous, next, end] = Array.from({ length: 6 }, () => new Int32Array(room));
  const isAlive = new Uint8Array(room);
  const isDirty = new Uint8Array(room);
  const dirty = new Int32Array(room);
  let dirtyCount = 0;
  let count = 1;
  let isInOrder = false; // slots in pre-order, `end` known
  worlds[0] = worlds[3] = 1;

  function mark(slot) {
    if (isDirty[slot] === 1) return;
    isDirty[slot] = 1;
    dirty[dirtyCount++] = slot;
  }

  /**
   * Cosine and sine by polynomials, exact to 32 bits, without branches: a sixth of the time of Math.cos
   * and Math.sin, and a third of the same with branches, which are mispredicted for random rotations.
   */
  function turn(at, rotation) {
    const quarters = Math.floor(rotation * (2 / Math.PI) + 0.5);
    const rest = rotation - quarters * (Math.PI / 2);
    const square = rest * rest;
    const sine = rest + rest * square * (square * (1 / 120 + square * (square / 362880 - 1 / 5040)) - 1 / 6);
    const cosine = 1 - square * (1 / 2 - square * (1 / 24 - square * (1 / 720 - square / 40320)));
    const whole = quarters | 0;
    const swap = (whole & 1) * (sine - cosine);
    locals[at + 2] = (cosine + swap) * (1 - ((whole + 1) & 2));
    locals[at + 3] = (sine - swap) * (1 - (whole & 2));
  }

  function write(slot, x, y, rotation, scaleX, scaleY) {
    const at = slot * 8;
    locals[at] = x;
    locals[at + 1] = y;
    if (locals[at + 6] !== rotation) {
      turn(at, rotation);
      locals[at + 6] = rotation;
    }
    locals[at + 4] = scaleX;
    locals[at + 5] = scaleY;
  }

  function set(slot, x, y, rotation, scaleX, scaleY) {
    write(slot, x, y, rotation, scaleX, scaleY);
    mark(slot);
  }

  /** Node i is slot i + 1: one loop, and one mark, on the root. */
  function setAll(nodes, table) {
    for (let slot = 1, from = 0; slot < count; slot++, from += 5) {
      write(slot, table[from], table[from + 1], table[from + 2], table[from + 3], table[from + 4]);
    }
    mark(1);
  }

  function append(slot, parent) {
    const sibling = last[parent];
    parents[slot] = parent;
    previous[slot] = sibling;
    next[slot] = 0;
    if (sibling === 0) first[parent] = slot;
    else next[sibling] = slot;
    last[parent] = slot;
  }

  function unlink(slot) {
    const parent = parents[slot];
    if (previous[slot] === 0) first[parent] = next[slot];
    else next[previous[slot]] = next[slot];
    if (next[slot] === 0) last[parent] = previous[slot];
    else previous[next[slot]] = previous[slot];
  }

  function spawn(parent, x, y, rotation, scaleX, scaleY) {
    const slot = count++;
    isAlive[slot] = 1;
    locals[slot * 8 + 6] = Number.NaN; // forces cosine and sine to be computed
    append(slot, parent ?? 0);
    set(slot, x, y, rotation, scaleX, scaleY);
    return slot;
  }

  function move(slot, parent) {
    isInOrder = false;
    unlink(slot);
    append(slot, parent);
    mark(slot);
  }

  function destroy(root) {
    unlink(root);
    dirtyCount = 0;
    let open = 0;
    dirty[open++] = root;
    for (let at = 0; at < open; at++) {
      const slot = dirty[at];
      for (let child = first[slot]; child !== 0; child = next[child]) dirty[open++] = child;
      isAlive[slot] = 0;
      isDirty[slot] = 0;
      parents[slot] = first[slot] = last[slot] = 0;
    }
  }

  function compute(slot) {
    const at = slot * 8;
    const above = parents[slot] * 8;
    const x = locals[at];
    const y = locals[at + 1];
    const cos = locals[at + 2];
    const sin = locals[at + 3];
    const scaleX = locals[at + 4];
    const scaleY = locals[at + 5];
    const a = worlds[above];
    const b = worlds[above + 1];
    const c = worlds[above + 2];
    const d = worlds[above + 3];
    worlds[at] = (a * cos + c * sin) * scaleX;
    worlds[at + 1] = (b * cos + d * sin) * scaleX;
    worlds[at + 2] = (c * cos - a * sin) * scaleY;
    worlds[at + 3] = (d * cos - b * sin) * scaleY;
    worlds[at + 4] = a * x + c * y + worlds[above + 4];
    worlds[at + 5] = b * x + d * y + worlds[above + 5];
  }

  function propagate(from, to) {
    for (let slot = from; slot < to; slot++) compute(slot);
  }

  function settle() {
    for (let slot = count - 1; slot > 0; slot--) {
      end[slot] = last[slot] === 0 ? slot + 1 : end[last[slot]];
    }
    isInOrder = true;
  }

  function update() {
    if (dirtyCount === 0) return;
    if (!isInOrder && dirtyCount === count - 1) propagate(1, count);
    else if (isInOrder) updateRuns();
    else updateLinks();
    for (let i = 0; i < dirtyCount; i++) isDirty[dirty[i]] = 0;
    dirtyCount = 0;
  }

  /** The dirty runs in order, without those inside of another. */
  function updateRuns() {
    if (isDirty[1] === 1) return propagate(1, count);
    const slots = dirty.subarray(0, dirtyCount).sort();
    let done = 0;
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i];
      if (slot < done) continue;
      done = end[slot];
      propagate(slot, done);
    }
  }

  /** The dirty subtrees along the links, without those below another dirty node. */
  function updateLinks() {
    for (let i = 0; i < dirtyCount; i++) {
      const root = dirty[i];
      let above = parents[root];
      while (above !== 0 && isDirty[above] === 0) above = parents[above];
      if (above === 0) updateBelow(root);
    }
  }

  function updateBelow(root) {
    let slot = root;
    for (;;) {
      compute(slot);
      let to = first[slot];
      while (to === 0) {
        if (slot === root) return;
        to = next[slot];
        if (to === 0) slot = parents[slot];
      }
      slot = to;
    }
  }

  /** The slots are in pre-order: a visit is a scan. */
  function visit(root) {
    const to = end[root];
    let sum = 0;
    let place = 0;
    for (let slot = root; slot < to; slot++) sum = (sum + Math.imul(slot, ++place)) | 0;
    return sum;
  }

  return {
    spawn,
    set,
    setAll,
    move,
    destroy,
    update,
    settle,
    visit,
    restart() {
      count = 1;
      dirtyCount = 0;
      isInOrder = false;
      isDirty.fill(0);
      first[0] = last[0] = 0;
      first.fill(0);
      last.fill(0);
    },
    readWorld(slot, out) {
      for (let k = 0; k < 6; k++) out[k] = worlds[slot * 8 + k];
    },
    numberOf: (slot) => slot,
    childrenOf(slot) {
      const children = [];
      for (let child = first[slot]; child !== 0; child = next[child]) children.push(child);
      return children;
    },
    isAlive: (slot) => isAlive[slot] === 1,
  };
}
