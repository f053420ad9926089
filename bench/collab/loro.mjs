/** The engine alone. */
import { LoroDoc } from "loro-crdt";
import { parentsOf } from "./parents.mjs";

function create(peer) {
  const doc = new LoroDoc();
  doc.setPeerId(peer);
  const tree = doc.getTree("tree");
  tree.enableFractionalIndex(0);
  return { doc, tree };
}

function fill({ doc, tree }, size) {
  const all = [];
  for (let k = 0; k < size; k++) {
    const node = tree.createNode(k === 0 ? undefined : all[(k - 1) >> 2]);
    for (const [key, value] of Object.entries({ "Health.hp": k, "Place.x": k + 1, "Place.y": k * 2 }))
      node.data.set(key, value);
    all.push(node.id);
  }
  doc.commit();
  return all;
}

function join(size) {
  const first = create(1n);
  fill(first, size);
  const bytes = first.doc.export({ mode: "snapshot" });
  let read;
  return {
    reset() {},
    run() {
      const { doc, tree } = create(2n);
      doc.import(bytes);
      read = tree.getNodes({ withDeleted: false }).map((node) => node.data.toJSON());
    },
    count: () => read.length,
  };
}

function moves(size) {
  const first = create(1n);
  const all = fill(first, 2 * size);
  const second = create(2n);
  second.doc.import(first.doc.export({ mode: "snapshot" }));
  const sides = [first, second];
  let round = 0;
  return {
    reset() {
      round++;
    },
    run() {
      const before = first.doc.version();
      for (const [side, { doc, tree }] of sides.entries()) {
        for (const [child, parent] of parentsOf(size, side, round)) {
          try {
            tree.move(all[child], all[parent]);
          } catch {
            // It would be below itself.
          }
        }
        doc.commit();
      }
      const updates = sides.map(({ doc }) => doc.export({ mode: "update", from: before }));
      first.doc.import(updates[1]);
      second.doc.import(updates[0]);
    },
    count: () => (JSON.stringify(first.tree.toJSON()) === JSON.stringify(second.tree.toJSON()) ? size : 0),
  };
}

export const subjects = { loro: { cases: { join, moves } } };
