/** By hand: a tree of plain objects, copied in a loop over the nodes of a template. */
import { prefabParents, prefabPlaces } from "./scenes.mjs";

export const subjects = { objects: { cases: { instantiate } } };

function instantiate(size) {
  let roots;
  return {
    reset: () => {
      roots = [];
    },
    run: () => {
      for (let k = 0; k < size; k++) roots.push(copy());
    },
    count: () => roots.length,
    nodesOf: (k) => {
      const all = [];
      const stack = [roots[k]];
      while (stack.length > 0) {
        const node = stack.pop();
        all.push(node);
        for (let n = node.children.length - 1; n >= 0; n--) stack.push(node.children[n]);
      }
      return all.map(({ parent, x, y }) => ({ parent: parent === null ? -1 : all.indexOf(parent), x, y }));
    },
  };
}

function copy() {
  const made = [];
  for (let n = 0; n < prefabParents.length; n++) {
    const parent = n === 0 ? null : made[prefabParents[n]];
    const node = { parent, children: [], x: prefabPlaces[n].x, y: prefabPlaces[n].y, rotation: 0 };
    if (parent !== null) parent.children.push(node);
    made.push(node);
  }
  return made[0];
}
