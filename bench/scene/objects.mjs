/** By hand: a tree of plain objects, copied in a loop over the nodes of a template; three files merged field by field. */
import { prefabParents, prefabPlaces, threeTexts } from "./scenes.mjs";

export const subjects = { objects: { cases: { instantiate, merge } } };

/** Parsed, merged by id and field, and printed: without types, trees, prefabs and conflicts, and nothing is checked. */
function merge(size) {
  const texts = threeTexts(size);
  let text = "";
  return {
    run: () => {
      const [base, ours, theirs] = [texts.base, texts.ours, texts.theirs].map((one) => JSON.parse(one));
      const byId = (file) => new Map(file.entities.map((entity) => [entity.id, entity]));
      const [inBase, inTheirs] = [byId(base), byId(theirs)];
      for (const entity of ours.entities) {
        const before = inBase.get(entity.id).components;
        const other = inTheirs.get(entity.id).components;
        for (const component in other) {
          const fields = entity.components[component];
          for (const field in other[component]) {
            if (fields[field] === before[component][field]) fields[field] = other[component][field];
          }
        }
      }
      text = JSON.stringify(ours, null, 2);
    },
    text: () => text,
  };
}

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
