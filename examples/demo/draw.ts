/** The demo on a terminal: a picture of the plane and the tree with its numbers. */
import { printTree } from "espalier/hierarchy";
import type { Scene } from "./scene.ts";

const WIDTH = 72;
const HEIGHT = 23;
const glyphs: { [name: string]: string } = {
  tank: "▇",
  turret: "●",
  barrel: "╸",
  flag: "⚑",
  sun: "☀",
  earth: "◉",
  moon: "·",
  mars: "○",
};

export function picture({ space, entities }: Scene): string {
  const rows = Array.from({ length: HEIGHT }, () => new Array<string>(WIDTH).fill(" "));
  for (const [name, entity] of Object.entries(entities)) {
    const { x, y } = space.worldPosition(entity);
    const column = Math.round(WIDTH / 2 + x * 1.3);
    const row = Math.round(HEIGHT / 2 - y * 0.75);
    const line = rows[row];
    if (line !== undefined && column >= 0 && column < WIDTH) line[column] = glyphs[name] ?? "?";
  }
  return rows.map((row) => row.join("").trimEnd()).join("\n");
}

/** The forest with local and world positions. */
export function drawTree({ tree, space }: Scene): string {
  return printTree(tree, {
    components: false,
    note: (entity) => {
      const local = space.localOf(entity);
      const world = space.worldOf(entity);
      const turn = Math.round((local.rotation * 180) / Math.PI) % 360;
      return `local ${at(local)}${turn === 0 ? "" : ` turned ${turn}°`}   world ${at(world)}`;
    },
  })
    .split("\n")
    .map(align)
    .join("\n");
}

function at({ x, y }: { x: number; y: number }): string {
  return `(${number(x)}, ${number(y)})`;
}

function number(value: number): string {
  return (Math.abs(value) < 0.05 ? 0 : value).toFixed(1);
}

/** Aligns the numbers of all lines. */
function align(line: string): string {
  const [name = "", numbers = ""] = line.split(" local ");
  const [local = "", world = ""] = numbers.split("   world ");
  return `${name.padEnd(22)} local ${local.padEnd(28)} world ${world}`;
}
