/** The scenes that are measured, the same for every subject. */

/** A flat file as `save` writes it: `count` entities in pre-order, four children each, every second one with Health. */
export function flatFile(count) {
  const entities = [];
  const stack = [0];
  while (stack.length > 0) {
    const k = stack.pop();
    entities.push({
      id: `entity-${k}`,
      ...(k === 0 ? {} : { parent: `entity-${(k - 1) >> 2}` }),
      components: {
        Place: { x: (k % 977) + 0.5, y: k % 331 },
        ...(k % 2 === 0 ? {} : { Health: { hp: k % 100 } }),
      },
    });
    for (let child = 4 * k + 4; child > 4 * k; child--) if (child < count) stack.push(child);
  }
  return { version: 1, entities };
}

/** The file as text, laid out as `save` lays it out: a line per component. */
export function textOf(file) {
  const lines = file.entities.map(({ id, parent, components }) => {
    const inner = Object.entries(components).map(
      ([name, fields]) =>
        `        "${name}": ${JSON.stringify(fields).replaceAll(/[:,{]/g, "$& ").replace("}", " }")}`,
    );
    const head = parent === undefined ? "" : `      "parent": "${parent}",\n`;
    return `    {\n      "id": "${id}",\n${head}      "components": {\n${inner.join(",\n")}\n      }\n    }`;
  });
  return `{\n  "version": 1,\n  "entities": [\n${lines.join(",\n")}\n  ]\n}\n`;
}

/** Texts of a flat file and of two changed ones: each side moved a tenth of the entities, no two the same. */
export function threeTexts(count) {
  const changed = (from) => {
    const file = flatFile(count);
    file.entities.forEach(({ components }, k) => {
      if (k % 10 === from) components.Place.x += from;
    });
    return file;
  };
  return { base: textOf(flatFile(count)), ours: textOf(changed(1)), theirs: textOf(changed(2)) };
}

/** A prefab of ten nodes, three levels: the parent of each, and its position. */
export const prefabParents = [-1, 0, 1, 1, 0, 4, 4, 0, 7, 7];
export const prefabPlaces = prefabParents.map((_, k) => ({ x: k + 0.5, y: 2 * k }));
