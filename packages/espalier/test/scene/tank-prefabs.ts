/** Prefabs that several tests use. */
import type { Prefabs, SceneFile } from "espalier/scene";

/** A tank with a turret, which has a barrel and aims at itself, and a hatch. */
export const tank: SceneFile = {
  entities: [
    {
      id: "tank",
      name: "Tank",
      components: { Health: { hp: 250 }, Position: { x: 1, y: 2 } },
      children: [
        {
          id: "turret",
          name: "Turret",
          components: { Position: { y: 20 }, Aim: { at: "barrel", from: "tank" } },
          children: [
            {
              id: "barrel",
              name: "Barrel",
              components: { Bag: { items: [{ shell: 1 }], owner: { a: 1, b: 2 } } },
            },
          ],
        },
        { id: "hatch", components: { Frozen: {} } },
      ],
    },
  ],
};
export const squad: SceneFile = {
  entities: [
    {
      id: "squad",
      children: [
        { id: "lead", prefab: "tank", components: { Health: { armored: true } } },
        {
          id: "wing",
          prefab: "tank",
          overrides: { hatch: null, turret: { components: { Position: { y: 5 } } } },
        },
      ],
    },
  ],
};
export const prefabs: Prefabs = { tank, squad };
