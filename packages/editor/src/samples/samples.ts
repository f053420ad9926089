/**
 * Small projects to look at and to break.
 */

import { loadImages } from "../files/refresh-project.ts";
import { openText } from "../shell/actions/file-actions.ts";
import type { App } from "../shell/app.ts";
import { blocks } from "./blocks.ts";
import { garden } from "./garden.ts";
import { meadow } from "./meadow.ts";
import type { Sample } from "./sample.ts";
import { solarSystem } from "./solar-system.ts";
import { tanks } from "./tanks.ts";

export const samples: readonly Sample[] = [tanks, meadow, solarSystem, garden, blocks];

export function openSample(app: App, sample: Sample): void {
  const images = Object.entries(sample.images ?? {}).map(([name, url]) => ({ name, url }));
  loadImages(app, app.project.images, images);
  app.project = { scenes: [], images, prefabs: sample.prefabs };
  openText(app, { name: `${sample.id}.scene.json`, text: sample.scene });
}
