/** The bar at the top: the file, undo, play, and the ways to everything else. */
import type { ReactNode } from "react";
import { closePrefab } from "./actions/prefab-actions.ts";
import { ActionButton, Button } from "./button.tsx";
import { icons } from "./icons.tsx";
import { People } from "./people.tsx";
import { useAppItself, useAppValue } from "./use-app.ts";

export function TopBar(): ReactNode {
  const app = useAppItself();
  const title = useAppValue(({ document }) => document.title);
  const file = useAppValue(({ document }) => document.file);
  // A live world is not saved.
  const isDirty = useAppValue((now) => !now.isLive && now.document.isDirty);
  const behind = useAppValue((now) => now.documents.behind.map((one) => one.title).join("\n"));
  const isPlaying = useAppValue(({ documents }) => documents.play !== undefined);
  const state = useAppValue(({ documents }) => documents.play?.state);
  const isViewportShown = useAppValue((now) => now.view.isViewportShown);
  return (
    <header className="esp-top">
      <div className="side">
        <div className="esp-brand">
          {icons.brand}
          <span className="wide">{app.t("app.name")}</span>
        </div>
        {behind === "" ? null : (
          <nav className="esp-behind" aria-label={app.t("prefab.trail")}>
            {behind.split("\n").map((name, k, all) => (
              <span key={name}>
                {k === all.length - 1 ? (
                  <Button label={name} icon={icons.back} showLabel onClick={() => closePrefab(app)} />
                ) : (
                  name
                )}
                <span aria-hidden="true"> › </span>
              </span>
            ))}
          </nav>
        )}
        <div className="esp-file" title={file ?? title}>
          <span>{title}</span>
          {behind === "" ? null : <span className="esp-badge">{app.t("prefab.badge")}</span>}
          {isDirty ? (
            <span
              className="esp-dot"
              role="img"
              aria-label={app.t("file.unsaved")}
              title={app.t("file.unsaved")}
            />
          ) : null}
          <SavingShare />
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
      </div>
      <LiveControls />
      {app.isLive ? null : (
        <span className="esp-segment" data-tour="play">
          <ActionButton
            id="play"
            icon={state === "playing" ? icons.pause : icons.play}
            label={app.t(state === "playing" ? "play.pause" : "play.play")}
            pressed={isPlaying}
          />
          <ActionButton id="step" icon={icons.step} label={app.t("play.step")} />
          <ActionButton id="stop" icon={icons.stop} label={app.t("play.stop")} />
        </span>
      )}
      <div className="side">
        {isPlaying ? (
          <ActionButton id="stop-keep" label={app.t("play.keep")} showLabel title={app.t("play.playing")} />
        ) : null}
        <span className="esp-grow" />
        <People />
        {app.isLive ? <ActionButton id="viewport" icon={icons.shape} pressed={isViewportShown} /> : null}
        <ActionButton id="palette" icon={icons.palette} />
        <ActionButton id="help" icon={icons.help} />
      </div>
    </header>
  );
}

/** The progress of saving a large scene. */
function SavingShare(): ReactNode {
  const app = useAppItself();
  const share = useAppValue(({ documents }) =>
    documents.saving === undefined ? undefined : Math.round(documents.saving * 20) / 20,
  );
  if (share === undefined) return null;
  return <progress className="esp-progress" value={share} max={1} aria-label={app.t("file.saving")} />;
}

/** Pause and step for a live game that can be paused. */
function LiveControls(): ReactNode {
  const app = useAppItself();
  const pausable = useAppValue((now) => now.live.pausable);
  const isPaused = useAppValue((now) => now.live.pausable?.isPaused === true);
  if (pausable === undefined) return null;
  return (
    <span className="esp-segment">
      <Button
        label={app.t(isPaused ? "play.play" : "play.pause")}
        icon={isPaused ? icons.play : icons.pause}
        pressed={isPaused}
        onClick={() => {
          if (pausable.isPaused) pausable.resume();
          else pausable.pause();
          app.changed();
        }}
      />
      <Button
        label={app.t("play.step")}
        icon={icons.step}
        disabled={!isPaused}
        onClick={() => {
          if (app.live.control === undefined) pausable.step();
          else app.live.control.capture(() => pausable.step());
          app.document.settle();
        }}
      />
    </span>
  );
}
