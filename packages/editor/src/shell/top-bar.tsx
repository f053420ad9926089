/** The bar at the top: the file, undo, play, and the ways to everything else. */
import type { ReactNode } from "react";
import { closePrefab } from "./actions/prefab-actions.ts";
import { ActionButton, Button } from "./button.tsx";
import { icons } from "./icons.tsx";
import { useApp } from "./use-app.ts";

export function TopBar(): ReactNode {
  const app = useApp();
  const { document, play } = app;
  const state = play?.state;
  return (
    <header className="esp-top">
      <div className="esp-brand">
        {icons.brand}
        <span className="wide">{app.t("app.name")}</span>
      </div>
      {app.behind.length > 0 ? (
        <Button
          label={app.behind.at(-1)?.title ?? ""}
          icon={icons.back}
          showLabel
          onClick={() => closePrefab(app)}
        />
      ) : null}
      <div className="esp-file" title={document.file ?? document.title}>
        <span>{document.title}</span>
        {document.isDirty ? (
          <span
            className="esp-dot"
            role="img"
            aria-label={app.t("file.unsaved")}
            title={app.t("file.unsaved")}
          />
        ) : null}
      </div>
      {app.isLive ? null : (
        <>
          <ActionButton id="open" icon={icons.open} />
          <ActionButton id="save" icon={icons.save} />
        </>
      )}
      <span className="esp-gap" />
      <ActionButton id="undo" icon={icons.undo} />
      <ActionButton id="redo" icon={icons.redo} />
      <span className="esp-grow" />
      <LiveControls />
      {app.isLive ? null : (
        <span className="esp-segment">
          <ActionButton
            id="play"
            icon={state === "playing" ? icons.pause : icons.play}
            label={app.t(state === "playing" ? "play.pause" : "play.play")}
            pressed={play !== undefined}
          />
          <ActionButton id="step" icon={icons.step} label={app.t("play.step")} />
          <ActionButton id="stop" icon={icons.stop} label={app.t("play.stop")} />
        </span>
      )}
      {play === undefined ? null : (
        <Button
          label={app.t("play.keep")}
          onClick={() => app.run("stop-keep")}
          title={app.t("play.playing")}
        />
      )}
      <span className="esp-grow" />
      {app.isLive ? <ActionButton id="viewport" icon={icons.shape} pressed={app.isViewportShown} /> : null}
      <ActionButton id="palette" icon={icons.palette} />
      <ActionButton id="help" icon={icons.help} />
    </header>
  );
}

/** Pause and step of a game that runs by itself, when it can be paused. */
function LiveControls(): ReactNode {
  const app = useApp();
  const { pausable } = app;
  if (pausable === undefined) return null;
  return (
    <span className="esp-segment">
      <Button
        label={app.t(pausable.isPaused ? "play.play" : "play.pause")}
        icon={pausable.isPaused ? icons.play : icons.pause}
        pressed={pausable.isPaused}
        onClick={() => {
          if (pausable.isPaused) pausable.resume();
          else pausable.pause();
          app.changed();
        }}
      />
      <Button
        label={app.t("play.step")}
        icon={icons.step}
        disabled={!pausable.isPaused}
        onClick={() => {
          if (app.live === undefined) pausable.step();
          else app.live.capture(() => pausable.step());
          app.document.settle();
        }}
      />
    </span>
  );
}
