import { advance } from "@react-three/fiber";
import type { Game } from "espalier/game";
import { createThreeSync } from "espalier/three";
import { createElement } from "react";
import { createRoot } from "react-dom/client";
import { View } from "./view.tsx";

/** Draws with three.js and React instead of the canvas of the page. React decides what is there, the game where it is. */
export async function makeRenderer(canvas: HTMLCanvasElement) {
  const page = document.createElement("main");
  canvas.replaceWith(page);
  return (game: Game) => {
    const sync = createThreeSync(game.space, { visibility: game.visible });
    const root = createRoot(page);
    root.render(createElement(View, { game, sync }));
    return {
      view: page,
      render() {
        sync.sync();
        advance(performance.now());
      },
      dispose() {
        root.unmount();
        sync.dispose();
      },
    };
  };
}
