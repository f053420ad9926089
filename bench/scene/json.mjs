/** What the text itself costs: bare `JSON.parse` and `JSON.stringify` of the same file, indented as people want it. */
import { flatFile, textOf } from "./scenes.mjs";

export const subjects = { json: { cases: { load_flat, save_flat } } };

function load_flat(size) {
  const text = textOf(flatFile(size));
  let file;
  const entity = (k) => file.entities.find(({ id }) => id === `entity-${k}`);
  return {
    run: () => {
      file = JSON.parse(text);
    },
    count: () => file.entities.length,
    parentOf: (k) => Number(entity(k).parent.slice(7)),
    placeOf: (k) => entity(k).components.Place,
    hpOf: (k) => entity(k).components.Health?.hp,
  };
}

function save_flat(size) {
  const file = flatFile(size);
  let text = "";
  return {
    run: () => {
      text = JSON.stringify(file, null, 2);
    },
    text: () => text,
  };
}
