/** three.js: `Object3D.clone()`, which copies the whole subtree, added to a scene. */
import { Object3D } from "three";
import { prefabParents, prefabPlaces } from "./scenes.mjs";

export const subjects = { three: { cases: { instantiate } } };

function instantiate(size) {
  const nodes = prefabParents.map((_, k) => {
    const node = new Object3D();
    node.position.set(prefabPlaces[k].x, prefabPlaces[k].y, 0);
    return node;
  });
  prefabParents.forEach((parent, k) => {
    if (parent >= 0) nodes[parent].add(nodes[k]);
  });
  let scene;
  return {
    reset: () => {
      scene = new Object3D();
    },
    run: () => {
      for (let k = 0; k < size; k++) scene.add(nodes[0].clone());
    },
    count: () => scene.children.length,
    nodesOf: (k) => {
      const all = [];
      scene.children[k].traverse((node) => all.push(node));
      return all.map((node, n) => ({
        parent: n === 0 ? -1 : all.indexOf(node.parent),
        x: node.position.x,
        y: node.position.y,
      }));
    },
  };
}
