/** The widths of lines of text, as a browser draws them. */
import type { EditorDocument } from "../document/document.ts";

/** Widths are cached: a hit test at the pointer needs all of them. */
const MOST_KEPT = 2000;

export function textWidths(): EditorDocument["textWidth"] {
  const context = document.createElement("canvas").getContext("2d");
  const kept = new Map<string, number>();
  return (line, { font, size, bold, italic }) => {
    const style = `${italic ? "italic " : ""}${bold ? "bold " : ""}${size}px ${font === "" ? "" : `"${font.replaceAll('"', "")}", `}sans-serif`;
    const key = `${style}\n${line}`;
    let width = kept.get(key);
    if (width !== undefined) return width;
    if (context === null) return line.length * size * 0.55;
    context.font = style;
    width = context.measureText(line).width;
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(key, width);
    return width;
  };
}
