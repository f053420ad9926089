/** What happens: structural events, what changed in the last frame, entity counts over time, breakpoints. */
import { type ReactNode, useSyncExternalStore } from "react";
import { Button } from "../shell/button.tsx";
import { useApp, useLive } from "../shell/use-app.ts";

/** More are not listed: a thousand lines are too many to read, and every line costs time. */
const MOST_EVENTS = 30;
const MOST_CHANGES = 60;

/** Each part follows the live world on its own: most parts rarely change while the world runs. */
export function ActivityPanel(): ReactNode {
  return (
    <div className="esp-columns">
      <Events />
      <Counts />
      <Changes />
    </div>
  );
}

function Events(): ReactNode {
  const app = useApp();
  const { document } = app;
  const { log } = app.live;
  const count = useSyncExternalStore(app.live.subscribeTo.activity, () => app.live.log?.count ?? 0);
  const entries = log?.latest(MOST_EVENTS) ?? [];
  return (
    <div>
      <h3 className="esp-sub">
        {app.t("activity.events")} ({count})
      </h3>
      {app.live.control === undefined ? null : (
        <label className="esp-line">
          <input
            type="checkbox"
            className="esp-checkbox"
            checked={app.live.isRecording}
            onChange={(event) => {
              app.live.isRecording = event.target.checked;
              app.changed();
            }}
          />
          {app.t("activity.record")}
        </label>
      )}
      {entries.length === 0 ? <p className="esp-empty">{app.t("activity.none")}</p> : null}
      <ul className="esp-list" data-log="true">
        {entries.map(({ id, kind, entity, text }) => (
          <li key={id}>
            <button
              type="button"
              disabled={!document.world.isAlive(entity)}
              onClick={() => document.selection.replace([entity])}
            >
              <small>{app.t(`activity.${kind}`)}</small>
              <span className="grow">{text}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Counts(): ReactNode {
  const app = useApp();
  const { document } = app;
  const { log } = app.live;
  return (
    <div>
      <h3 className="esp-sub">{app.t("activity.entities")}</h3>
      <Plot />
      <h3 className="esp-sub">{app.t("activity.breakpoints")}</h3>
      <label className="esp-line">
        <input
          type="checkbox"
          className="esp-checkbox"
          checked={app.live.breakpoints.structure}
          onChange={(event) =>
            app.live.setBreakpoints({ ...app.live.breakpoints, structure: event.target.checked })
          }
        />
        {app.t("activity.breakOnStructure")}
      </label>
      <label className="esp-line">
        {app.t("activity.breakOnComponent")}
        <select
          className="esp-input"
          style={{ width: 140 }}
          value={app.live.breakpoints.component}
          onChange={(event) =>
            app.live.setBreakpoints({ ...app.live.breakpoints, component: event.target.value })
          }
        >
          <option value="">{app.t("inspector.none")}</option>
          {document.components.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      {log === undefined ? null : (
        <Button
          label={app.t("activity.clear")}
          className="solid"
          onClick={() => {
            log.clear();
            app.changed();
          }}
        />
      )}
    </div>
  );
}

function Changes(): ReactNode {
  const app = useApp();
  const { document } = app;
  const { watch } = app.live;
  return (
    <div>
      <h3 className="esp-sub">
        {app.t("activity.changed")} ({watch?.count ?? 0})
      </h3>
      {app.live.control === undefined ? null : (
        <Button
          label={app.t("activity.capture")}
          className="solid"
          onClick={() => {
            app.live.isCaptureWanted = true;
            app.changed();
          }}
        />
      )}
      <ul className="esp-list" data-changes="true">
        {(watch?.entries ?? []).slice(0, MOST_CHANGES).map(({ entity, component, kind }) => (
          <li key={`${entity} ${component} ${kind}`}>
            <button
              type="button"
              disabled={!document.world.isAlive(entity)}
              onClick={() => document.selection.replace([entity])}
            >
              <span className="grow">
                {document.world.isAlive(entity) ? document.label(entity) : `#${entity}`}
              </span>
              <small>{app.t(`activity.change.${kind}`, { component })}</small>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Plot(): ReactNode {
  const app = useApp();
  useLive(app, "activity");
  const samples = app.live.counts;
  const most = Math.max(1, ...samples);
  const points = samples.map(
    (count, k) => `${(k / Math.max(1, samples.length - 1)) * 300},${58 - (count / most) * 54}`,
  );
  return (
    <svg
      className="esp-plot"
      viewBox="0 0 300 60"
      preserveAspectRatio="none"
      role="img"
      aria-label={`${app.t("activity.entities")}: ${samples.at(-1) ?? 0}`}
    >
      <polyline
        points={points.join(" ")}
        fill="none"
        stroke="var(--accent)"
        strokeWidth="1.5"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
