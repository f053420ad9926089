/** A small picture of what a prefab looks like. */
import { createCanvasRenderer } from "espalier/canvas";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { openDocument } from "../document/document.ts";
import { subtreeBounds } from "../document/space/bounds.ts";
import { prefabsOf } from "../files/prefab-lookup.ts";
import type { App } from "../shell/app.ts";
import { icons } from "../shell/icons.tsx";
import { useAppItself, useAppValue } from "../shell/use-app.ts";
import { ViewportCamera } from "../viewport/viewport-camera.ts";

const [WIDTH, HEIGHT] = [80, 44];

/** Drawn again when the text of the prefab changes. A prefab that draws nothing gets the icon of prefabs. */
export function PrefabPicture({ path, text }: { readonly path: string; readonly text: string }): ReactNode {
  const app = useAppItself();
  const yUp = useAppValue(({ view }) => view.settings.yUp);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isEmpty, setEmpty] = useState(false);
  useEffect(() => {
    const draw = () => setEmpty(canvas.current === null || !drawPrefab(app, canvas.current, path, text, yUp));
    draw();
    // Its images may arrive later.
    return app.textures.onChange(draw);
  }, [app, path, text, yUp]);
  return (
    <>
      {isEmpty ? <span className="esp-asset-icon">{icons.prefab}</span> : null}
      <canvas
        ref={canvas}
        className="esp-asset-picture"
        style={{ width: WIDTH, height: HEIGHT }}
        hidden={isEmpty}
      />
    </>
  );
}

/** `false` when there is nothing to see. */
function drawPrefab(app: App, canvas: HTMLCanvasElement, path: string, text: string, yUp: boolean): boolean {
  try {
    const { format } = app.document;
    const { project } = app;
    const prefabs = prefabsOf(() => ({ ...project, prefabs: { ...project.prefabs, [path]: text } }));
    // As an instance: a prefab composed of others is not a scene on its own.
    const scene = JSON.stringify({ version: format.version, entities: [{ id: "shown", prefab: path }] });
    const shown = openDocument(format, scene, { prefabs });
    shown.textureSize = app.document.textureSize;
    const bounds = subtreeBounds(shown, shown.tree.roots());
    if (bounds === undefined || bounds.right <= bounds.left || bounds.bottom <= bounds.top) return false;
    const camera = new ViewportCamera();
    camera.yUp = yUp;
    camera.resize(WIDTH, HEIGHT);
    camera.fit(bounds, 3);
    const resolution = devicePixelRatio || 1;
    const { textures } = app;
    const renderer = createCanvasRenderer(shown.space, {
      canvas,
      textures,
      resolution,
      width: WIDTH,
      height: HEIGHT,
      yAxis: yUp ? "up" : "down",
      look: () => camera.view,
    });
    renderer.render();
    renderer.dispose();
    shown.close();
    return true;
  } catch {
    // A broken prefab is reported where it is used; here it has no picture.
    return false;
  }
}
