/** Ancestors that stay at the top while the rows below them are scrolled. */
import type { Entity } from "espalier";
import type { ReactNode } from "react";
import type { Pin } from "../document/tree/pinned-ancestors.ts";
import { icons } from "../shell/icons.tsx";
import { useAppItself } from "../shell/use-app.ts";

/** For the pointer only: the rows themselves are in the tree, where the keyboard reaches them. */
export function HierarchyPins({
  pins,
  onClick,
}: {
  readonly pins: readonly Pin[];
  readonly onClick: (entity: Entity) => void;
}): ReactNode {
  const app = useAppItself();
  if (pins.length === 0) return null;
  return (
    <div className="esp-pins" role="none" aria-hidden="true">
      {pins.map(({ entity, depth, skipped }) => {
        const name = app.document.label(entity);
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents: hidden from the keyboard, which has the rows themselves
          // biome-ignore lint/a11y/noStaticElementInteractions: as above
          <div
            key={entity}
            className="esp-pin"
            style={{ "--depth": depth } as React.CSSProperties}
            title={name}
            onClick={() => onClick(entity)}
          >
            <span className="esp-twist">{icons.twistOpen}</span>
            <span className="name">{name}</span>
            {skipped === 0 ? null : (
              <small>{app.t("hierarchy.skipped", { count: skipped.toLocaleString("en") })}</small>
            )}
          </div>
        );
      })}
    </div>
  );
}
