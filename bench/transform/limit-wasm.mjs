/**
 * The limit in WASM: the loop of limit-js with f32x4, over the same records in WASM memory; limit.ts is
 * its source. Only the cases of the loop: a tree that is built once and whose locals change.
 */
import { casesOf } from "./cases.mjs";
import { wasm } from "./limit.wasm.mjs";

export const subjects = {
  "limit-wasm": {
    cases: casesOf(createSpace, { without: ["churn", "build", "destroy", "visit", "full_churned"], unable }),
  },
};

function unable(_, { shape }) {
  return shape === "scattered" ? "slots unsorted" : undefined;
}

const module = new WebAssembly.Module(Buffer.from(wasm, "base64"));

function createSpace(capacity) {
  const room = capacity + 8; // slot 0 is the identity; `turn` takes four slots at a time
  const localsAt = 64;
  const worldsAt = localsAt + room * 32;
  const parentsAt = worldsAt + room * 32;
  const memory = new WebAssembly.Memory({ initial: Math.ceil((parentsAt + room * 4) / 65536) });
  const { propagate, turn } = new WebAssembly.Instance(module, { env: { memory } }).exports;
  const locals = new Float32Array(memory.buffer, localsAt, room * 8);
  const worlds = new Float32Array(memory.buffer, worldsAt, room * 8);
  const parents = new Int32Array(memory.buffer, parentsAt, room);
  const end = new Int32Array(room);
  const isDirty = new Uint8Array(room);
  const dirty = new Int32Array(room);
  let dirtyCount = 0;
  let count = 1;
  worlds[0] = worlds[3] = 1;

  function mark(slot) {
    if (isDirty[slot] === 1) return;
    isDirty[slot] = 1;
    dirty[dirtyCount++] = slot;
  }

  function set(slot, x, y, rotation, scaleX, scaleY) {
    const at = slot * 8;
    locals[at] = x;
    locals[at + 1] = y;
    if (locals[at + 6] !== rotation) {
      locals[at + 2] = Math.cos(rotation);
      locals[at + 3] = Math.sin(rotation);
      locals[at + 6] = rotation;
    }
    locals[at + 4] = scaleX;
    locals[at + 5] = scaleY;
    mark(slot);
  }

  /** Node i is slot i + 1. Cosines and sines are worked out for four slots at a time, by polynomials. */
  function setAll(nodes, table) {
    for (let at = 8, from = 0; from < table.length; at += 8, from += 5) {
      locals[at] = table[from];
      locals[at + 1] = table[from + 1];
      locals[at + 6] = table[from + 2];
      locals[at + 4] = table[from + 3];
      locals[at + 5] = table[from + 4];
    }
    turn(localsAt, 1, count);
    mark(1);
  }

  function spawn(parent, x, y, rotation, scaleX, scaleY) {
    const slot = count++;
    parents[slot] = parent ?? 0;
    locals[slot * 8 + 6] = Number.NaN;
    set(slot, x, y, rotation, scaleX, scaleY);
    return slot;
  }

  function settle() {
    for (let slot = count - 1; slot > 0; slot--) {
      if (end[slot] === 0) end[slot] = slot + 1;
      if (end[parents[slot]] < end[slot]) end[parents[slot]] = end[slot];
    }
  }

  function update() {
    if (dirtyCount === 0) return;
    if (isDirty[1] === 1) propagate(localsAt, worldsAt, parentsAt, 1, count);
    else updateRuns();
    for (let i = 0; i < dirtyCount; i++) isDirty[dirty[i]] = 0;
    dirtyCount = 0;
  }

  /** The dirty runs in order, without those inside of another. */
  function updateRuns() {
    const slots = dirty.subarray(0, dirtyCount).sort();
    let done = 0;
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i];
      if (slot < done) continue;
      done = end[slot];
      propagate(localsAt, worldsAt, parentsAt, slot, done);
    }
  }

  return {
    spawn,
    set,
    setAll,
    update,
    settle,
    readWorld(slot, out) {
      for (let k = 0; k < 6; k++) out[k] = worlds[slot * 8 + k];
    },
  };
}
