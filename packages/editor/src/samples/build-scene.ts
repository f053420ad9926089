/** Helpers for writing the samples. */
import type { ComponentEntries, EntityEntry, Json, SceneFile } from "espalier/scene";

export interface Node {
  readonly name: string;
  readonly at?: readonly [x: number, y: number];
  readonly turn?: number;
  readonly scale?: number;
  readonly prefab?: string;
  readonly with?: { readonly [component: string]: { readonly [field: string]: Json } };
  readonly children?: readonly Node[];
}

/** A scene as text. Ids are the names; names must differ. */
export function sceneText(roots: readonly Node[]): string {
  const file: SceneFile = { version: 1, entities: roots.map(entry) };
  return `${JSON.stringify(file, null, 2)}\n`;
}

function entry({ name, at, turn, scale, prefab, with: components = {}, children }: Node): EntityEntry {
  const transform: { [field: string]: Json } = {};
  if (at !== undefined) [transform.x, transform.y] = [at[0], at[1]];
  if (turn !== undefined) transform.rotation = (turn * Math.PI) / 180;
  if (scale !== undefined) [transform.scaleX, transform.scaleY] = [scale, scale];
  const all: ComponentEntries = at === undefined ? components : { Transform2D: transform, ...components };
  return {
    id: name.replaceAll(" ", "-"),
    name,
    ...(prefab === undefined ? {} : { prefab }),
    ...(Object.keys(all).length === 0 ? {} : { components: all }),
    ...(children === undefined ? {} : { children: children.map(entry) }),
  };
}

export const box = (width: number, height: number, fill: string, radius = 0): { [field: string]: Json } =>
  radius > 0 ? { kind: "roundedRect", width, height, radius, fill } : { width, height, fill };
export const disc = (radius: number, fill: string): { [field: string]: Json } => ({
  kind: "circle",
  radius,
  fill,
});
