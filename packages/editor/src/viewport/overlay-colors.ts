/** The colours of grid and overlay, from the theme of the page. */
import type { OverlayColors } from "./draw-overlay.ts";

/** Returns the current colours. The styles of the page are read again when its theme changes. */
export function overlayColors(canvas: HTMLCanvasElement): () => OverlayColors {
  let known: { readonly theme: string; readonly colors: OverlayColors } | undefined;
  return () => {
    const host = canvas.closest(".esp") as HTMLElement | null;
    const theme = host?.dataset.theme ?? "";
    if (known?.theme !== theme) known = { theme, colors: read(host ?? canvas, theme) };
    return known.colors;
  };
}

function read(element: HTMLElement, theme: string): OverlayColors {
  const style = getComputedStyle(element);
  const value = (name: string) => style.getPropertyValue(name).trim() || "#888";
  return {
    grid: theme === "light" ? "#e6e8ec" : "#191c21",
    strong: theme === "light" ? "#d9dce2" : "#22262d",
    accent: value("--accent"),
    muted: value("--line-strong"),
    link: "#fff",
    x: value("--x"),
    y: value("--y"),
    warn: value("--warn"),
  };
}
