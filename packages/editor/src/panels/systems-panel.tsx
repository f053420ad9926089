/** Systems and sets of systems with their timings, queries with their matches. */
import { listQueries } from "espalier";
import type { ReactNode } from "react";
import { useApp, useLive } from "../shell/use-app.ts";

export function SystemsPanel(): ReactNode {
  const app = useApp();
  useLive(app, "activity");
  const timings = app.schedule?.timings() ?? [];
  const sets = app.schedule?.sets() ?? [];
  const timeOf = (names: readonly string[]) =>
    timings.reduce((sum, { name, average }) => (names.includes(name) ? sum + average : sum), 0);
  const queries = listQueries(app.document.world);
  return (
    <div className="esp-columns">
      <div>
        {timings.length === 0 ? (
          <p className="esp-empty">{app.t("systems.none")}</p>
        ) : (
          <table className="esp-table">
            <thead>
              <tr>
                <th>{app.t("panel.systems")}</th>
                <th className="number">{app.t("systems.time")}</th>
                <th className="number">{app.t("systems.runs")}</th>
              </tr>
            </thead>
            <tbody>
              {timings.map((timing) => (
                <tr key={timing.name}>
                  <td>{timing.name}</td>
                  <td className="number">{timing.average.toFixed(3)}</td>
                  <td className="number">{timing.calls}</td>
                </tr>
              ))}
              {sets.map(({ name, systems }) => (
                <tr key={`set ${name}`} className="esp-set">
                  <td>{app.t("systems.set", { name, systems: systems.join(", ") || "–" })}</td>
                  <td className="number">{timeOf(systems).toFixed(3)}</td>
                  <td />
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
      <table className="esp-table">
        <thead>
          <tr>
            <th>{app.t("activity.queries")}</th>
            <th className="number">{app.t("activity.entities")}</th>
          </tr>
        </thead>
        <tbody>
          {queries.map(({ text, count }) => (
            <tr key={text}>
              <td className="esp-code">{text}</td>
              <td className="number">{count}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
