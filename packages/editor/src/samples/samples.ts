/**
 * Small projects to look at and to break.
 */

import { openText } from "../shell/actions/file-actions.ts";
import type { App } from "../shell/app.ts";
import { blocks } from "./blocks.ts";
import { garden } from "./garden.ts";
import type { Sample } from "./sample.ts";
import { solarSystem } from "./solar-system.ts";
import { tanks } from "./tanks.ts";

export const samples: readonly Sample[] = [tanks, solarSystem, garden, blocks];

export function openSample(app: App, sample: Sample): void {
  app.project = { scenes: [], images: [], prefabs: sample.prefabs };
  openText(app, { name: `${sample.id}.scene.json`, text: sample.scene });
}
