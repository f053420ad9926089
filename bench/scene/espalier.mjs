/**
 * Espalier: `format.load`, `scene.save` and `prefab.instantiate`, with all their checks.
 *
 * `espalier-loop` makes the same entities with `attachNew` in a loop, as programs without prefabs do: there are no instances to
 * track. Imported by its public names, as built (`npm run build`).
 */
import { flatFile, prefabParents, prefabPlaces, textOf, threeTexts } from "./scenes.mjs";

const library = await Promise.all([
  import("espalier"),
  import("espalier/hierarchy"),
  import("espalier/scene"),
]).catch((error) => {
  if (error.code === "ERR_MODULE_NOT_FOUND" || error.code === "ERR_PACKAGE_PATH_NOT_EXPORTED")
    return undefined;
  throw error;
});

export const skipped = "espalier is not built (npm run build)";

export const subjects = library
  ? {
      espalier: { cases: { load_flat, save_flat, merge, instantiate } },
      "espalier-loop": { cases: { instantiate: instantiateByHand } },
    }
  : {};

function define() {
  const [{ component, createWorld, f32 }, { createHierarchy }, { createSceneFormat, ...scene }] = library;
  const Place = component("Place", { x: f32(), y: f32(), rotation: f32() });
  const Health = component("Health", { hp: f32(100) });
  const format = createSceneFormat({ components: [Place, Health] });
  return { ...scene, Place, Health, format, createTree: () => createHierarchy(createWorld()) };
}

function load_flat(size) {
  const { Place, Health, format, createTree } = define();
  const text = textOf(flatFile(size));
  let tree;
  let scene;
  const entity = (k) => scene.entity(`entity-${k}`);
  return {
    reset: () => {
      scene = undefined;
      tree = createTree();
    },
    run: () => {
      scene = format.load(tree, text);
    },
    count: () => tree.world.count,
    parentOf: (k) => Number(scene.idOf(tree.parentOf(entity(k))).slice(7)),
    placeOf: (k) => tree.world.get(entity(k), Place),
    hpOf: (k) => tree.world.get(entity(k), Health)?.hp,
  };
}

function save_flat(size) {
  const { format, createTree } = define();
  const scene = format.load(createTree(), textOf(flatFile(size)));
  let text = "";
  return {
    run: () => {
      text = scene.save();
    },
    text: () => text,
  };
}

function merge(size) {
  const { format, mergeScenes, printScene } = define();
  const { base, ours, theirs } = threeTexts(size);
  let text = "";
  return {
    run: () => {
      text = printScene(mergeScenes(format, base, ours, theirs).file);
    },
    text: () => text,
  };
}

function nodesIn(tree, Place, root) {
  const all = [...tree.descendants(root, { includeSelf: true })];
  return all.map((entity) => {
    const { x, y } = tree.world.get(entity, Place);
    return { parent: entity === root ? -1 : all.indexOf(tree.parentOf(entity)), x, y };
  });
}

function instantiate(size) {
  const { Place, format, createTree } = define();
  const prefab = format.prefab(
    {
      entities: prefabParents.map((parent, k) => ({
        id: `node-${k}`,
        ...(parent < 0 ? {} : { parent: `node-${parent}` }),
        components: { Place: prefabPlaces[k] },
      })),
    },
    { file: "tank.json" },
  );
  let tree;
  return {
    reset: () => {
      tree = createTree();
    },
    run: () => {
      for (let k = 0; k < size; k++) prefab.instantiate(tree);
    },
    count: () => tree.rootCount,
    nodesOf: (k) => nodesIn(tree, Place, tree.childAt(null, k)),
  };
}

function instantiateByHand(size) {
  const { Place, createTree } = define();
  let tree;
  return {
    reset: () => {
      tree = createTree();
    },
    run: () => {
      const made = [];
      for (let k = 0; k < size; k++) {
        for (let n = 0; n < prefabParents.length; n++) {
          const parent = n === 0 ? null : made[prefabParents[n]];
          made[n] = tree.attachNew(parent, Place(prefabPlaces[n]));
        }
      }
    },
    count: () => tree.rootCount,
    nodesOf: (k) => nodesIn(tree, Place, tree.childAt(null, k)),
  };
}
