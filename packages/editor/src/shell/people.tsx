/** The others who edit the scene, and the state of the connection. */
import type { ReactNode } from "react";
import { useAppItself, useAppValue } from "./use-app.ts";

/** More are counted. */
const MOST = 5;

export function People(): ReactNode {
  const app = useAppItself();
  const isShared = useAppValue(({ sharing }) => sharing?.state === "shared");
  const others = useAppValue(({ sharing }) => sharing?.others);
  const status = useAppValue(({ sharing }) => sharing?.status);
  if (!isShared || others === undefined) return null;
  return (
    <>
      {status === "online" ? null : (
        <span className="esp-connection" role="status">
          {app.t(status === "syncing" ? "share.syncing" : "share.offline")}
        </span>
      )}
      <ul className="esp-people" aria-label={app.t("share.people")}>
        {others.length === 0 ? <li className="alone">{app.t("share.onlyYou")}</li> : null}
        {others.slice(0, MOST).map(({ id, name, color }) => (
          <li key={id} title={name} style={{ borderColor: color }}>
            <span aria-hidden="true">{initials(name)}</span>
            <span className="esp-sr">{name}</span>
          </li>
        ))}
        {others.length > MOST ? <li>{`+${others.length - MOST}`}</li> : null}
      </ul>
    </>
  );
}

/** The first letters of the first two words. */
function initials(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== "");
  return words
    .slice(0, 2)
    .map((word) => [...word][0] ?? "")
    .join("")
    .toUpperCase();
}
