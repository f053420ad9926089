/** Documents for tests. */

import type { Entity } from "espalier";
import { component, entityRef, f32, tag } from "espalier";
import { type EditorDocument, openDocument } from "../src/document/document.ts";
import { createEditorFormat } from "../src/document/format.ts";

export const Health = component("Health", { hp: f32(100) });
export const Aim = component("Aim", { at: entityRef() });
export const Rusty = tag("Rusty");
export const format = createEditorFormat([Health, Aim, Rusty]);

export const tankPrefab = `{
  "entities": [
    {
      "id": "tank", "name": "tank", "components": { "Transform2D": {}, "Health": { "hp": 250 } },
      "children": [{ "id": "turret", "name": "turret", "components": { "Transform2D": { "y": 8 } } }]
    }
  ]
}`;

export const level = `{
  "entities": [
    {
      "id": "level", "name": "level", "components": { "Transform2D": { "x": 100, "scaleX": 2 } },
      "children": [
        { "id": "house", "name": "house", "components": { "Transform2D": { "x": 10, "rotation": 0.5 } },
          "children": [{ "id": "door", "name": "door", "components": { "Transform2D": { "y": 5 } } }] },
        { "id": "tree", "name": "tree", "components": { "Transform2D": { "x": -20 }, "Aim": { "at": "door" } } }
      ]
    },
    { "id": "sky", "name": "sky", "components": { "Transform2D": { "y": -50 } } },
    { "id": "unit", "name": "unit", "prefab": "tank", "components": { "Transform2D": { "x": 7 } } },
    { "id": "folder", "name": "folder", "children": [{ "id": "coin", "name": "coin", "components": { "Transform2D": { "x": 3, "y": 4 } } }] }
  ]
}`;

export function open(text = level): EditorDocument {
  return openDocument(format, text, { prefabs: { tank: tankPrefab } });
}

/** The entity of an id. */
export function at(document: EditorDocument, id: string): Entity {
  return document.scene!.entity(id);
}

/** The names of entities. */
export function names(document: EditorDocument, entities: Iterable<Entity>): string[] {
  return [...entities].map((entity) => document.label(entity));
}
