/** The viewport with its tools. */
import { type ReactNode, useEffect, useRef } from "react";
import { addAsset, addImageFiles, assetOf, imagesIn, isAssetDrag } from "../shell/actions/asset-actions.ts";
import { ActionButton, Button } from "../shell/button.tsx";
import { icons } from "../shell/icons.tsx";
import { openEntityMenu } from "../shell/menu/entity-menu.ts";
import { useAppItself, useAppValue } from "../shell/use-app.ts";
import { SnapSettings } from "./snap-settings.tsx";
import { ViewportController } from "./viewport-controller.ts";

export function ViewportPanel(): ReactNode {
  const app = useAppItself();
  const settings = useAppValue((now) => now.view.settings);
  const document = useAppValue((now) => now.document);
  const isPicking = useAppValue(({ view }) => view.picking !== undefined);
  const [grid, scene, overlay] = [
    useRef<HTMLCanvasElement>(null),
    useRef<HTMLCanvasElement>(null),
    useRef<HTMLCanvasElement>(null),
  ];
  const controller = useRef<ViewportController | undefined>(undefined);
  useEffect(() => {
    if (grid.current === null || scene.current === null || overlay.current === null) return undefined;
    const made = new ViewportController(app, {
      grid: grid.current,
      scene: scene.current,
      overlay: overlay.current,
    });
    controller.current = made;
    app.view.viewport = made;
    return () => {
      app.view.viewport = undefined;
      made.close();
    };
  }, [app, grid, scene, overlay]);

  const drop = (event: React.DragEvent) => {
    const asset = assetOf(event.dataTransfer);
    const images = imagesIn(event.dataTransfer.files);
    if (asset === undefined && images.length === 0) return;
    event.preventDefault();
    const box = overlay.current?.getBoundingClientRect();
    const at = controller.current?.camera.toWorld(
      event.clientX - (box?.left ?? 0),
      event.clientY - (box?.top ?? 0),
    );
    if (asset !== undefined) addAsset(app, asset, { at });
    else void addImageFiles(app, images, { at });
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: prefabs and images are dropped here; the asset panel does it by keyboard
    <div
      className="esp-viewport"
      onDragOver={(event) => {
        if (isAssetDrag(event.dataTransfer)) event.preventDefault();
      }}
      onDrop={drop}
      onContextMenu={(event) => {
        event.preventDefault();
        // The right button pans, and opens the menu when it comes up; this is the key.
        if (!event.isTrusted) openEntityMenu(app, event, document.selection.primary);
      }}
    >
      <canvas ref={grid} />
      <canvas ref={scene} />
      <canvas
        ref={overlay}
        tabIndex={0}
        role="img"
        aria-label={app.t("panel.viewport")}
        data-viewport="true"
      />
      <div className="esp-tools" role="toolbar" aria-label={app.t("panel.viewport")}>
        <span className="esp-segment">
          {(["select", "move", "rotate", "scale", "skew"] as const).map((tool) => (
            <ActionButton
              key={tool}
              id={`tool-${tool}`}
              icon={icons[tool]}
              label={app.t(`tool.${tool}`)}
              pressed={settings.tool === tool}
            />
          ))}
        </span>
        <span className="esp-segment">
          <ActionButton
            id="orientation"
            icon={settings.orientation === "world" ? icons.globe : icons.axes}
            label={app.t("tool.orientation", { name: settings.orientation })}
          />
          <ActionButton id="pivot" icon={icons.pivot} label={app.t("tool.pivot", { name: settings.pivot })} />
          <ActionButton
            id="without-children"
            icon={icons.loner}
            label={app.t("tool.withoutChildren")}
            pressed={settings.withoutChildren}
          />
        </span>
        <span className="esp-segment">
          <ActionButton id="snap" icon={icons.magnet} label={app.t("tool.snap")} pressed={settings.snapOn} />
          <SnapSettings />
          <ActionButton id="grid" icon={icons.grid} label={app.t("tool.grid")} pressed={settings.grid} />
          <Button
            label={app.t("tool.links")}
            icon={icons.links}
            pressed={settings.links}
            onClick={() => app.view.set({ links: !settings.links })}
          />
        </span>
      </div>
      {isPicking ? <div className="esp-banner">{app.t("inspector.picking")}</div> : null}
      <Status />
    </div>
  );
}

/** The number of entities, the number of selected ones, and the zoom. */
function Status(): ReactNode {
  const app = useAppItself();
  const count = useAppValue(({ document }) => document.world.count);
  const selected = useAppValue(({ document }) => document.selection.size);
  const percent = useAppValue(({ view }) => Math.round((view.viewport?.camera.zoom ?? 1) * 100));
  return (
    <div className="esp-status">
      {count === 1 ? app.t("status.entity") : app.t("status.entities", { count: count.toLocaleString("en") })}
      {selected > 0 ? ` · ${app.t("status.selected", { count: selected })}` : ""}
      {" · "}
      {app.t("status.zoom", { percent })}
    </div>
  );
}
