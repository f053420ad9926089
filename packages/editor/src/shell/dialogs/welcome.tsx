/** Where to begin: a sample, a recent file, a file from the disk, or nothing. */
import { type ReactNode, useEffect, useState } from "react";
import { type RecentFile, recentFiles } from "../../files/recent.ts";
import { openSample, samples } from "../../samples/samples.ts";
import { mayLeave, newScene, openFromDisk, openRecent } from "../actions/file-actions.ts";
import { Button } from "../button.tsx";
import { icons } from "../icons.tsx";
import { useApp } from "../use-app.ts";
import { Dialog } from "./dialog.tsx";

export function Welcome(): ReactNode {
  const app = useApp();
  const [recent, setRecent] = useState<readonly RecentFile[]>([]);
  useEffect(() => {
    void recentFiles().then(setRecent);
  }, []);
  return (
    <Dialog title={app.t("welcome.title")}>
      <div className="content">
        <h3 className="esp-sub" style={{ margin: "4px 0" }}>
          {app.t("welcome.samples")}
        </h3>
        <div className="esp-samples">
          {samples.map((sample) => (
            <button
              key={sample.id}
              type="button"
              className="esp-sample"
              data-sample={sample.id}
              onClick={() => mayLeave(app) && openSample(app, sample)}
            >
              <span className="art" style={{ background: sample.art }} />
              <span className="info">
                <b>{app.t(`sample.${sample.id}.title`)}</b>
                <small>{app.t(`sample.${sample.id}.about`)}</small>
              </span>
            </button>
          ))}
        </div>
        {recent.length === 0 ? null : (
          <>
            <h3 className="esp-sub" style={{ margin: "4px 0" }}>
              {app.t("welcome.recent")}
            </h3>
            <ul className="esp-list">
              {recent.slice(0, 5).map((file) => (
                <li key={file.name}>
                  <button type="button" onClick={() => void openRecent(app, file)}>
                    <span className="grow">{file.name}</span>
                    <small>{new Date(file.time).toLocaleString()}</small>
                  </button>
                </li>
              ))}
            </ul>
          </>
        )}
        <div style={{ display: "flex", gap: 8, alignItems: "center", flexWrap: "wrap" }}>
          <Button
            label={app.t("welcome.open")}
            icon={icons.open}
            showLabel
            className="solid"
            onClick={() => void openFromDisk(app)}
          />
          <Button
            label={app.t("welcome.new")}
            icon={icons.plus}
            showLabel
            className="solid"
            onClick={() => void newScene(app)}
          />
          <small style={{ color: "var(--muted)" }}>{app.t("welcome.hint")}</small>
        </div>
      </div>
    </Dialog>
  );
}
