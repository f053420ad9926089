/** Prefabs, images and scenes of the project. */
import type { ReactNode } from "react";
import { instantiatePrefab } from "../commands/scene/instantiate-prefab.ts";
import { referenceTo } from "../files/prefab-lookup.ts";
import { openFromProject } from "../shell/actions/file-actions.ts";
import { icons } from "../shell/icons.tsx";
import { useAppItself, useAppValue } from "../shell/use-app.ts";
import { IMAGE_TYPE, PREFAB_TYPE } from "../viewport/viewport-panel.tsx";

export function AssetsPanel(): ReactNode {
  const app = useAppItself();
  const { scenes, prefabs, images } = useAppValue(({ project }) => project);
  const names = Object.keys(prefabs);
  if (names.length + images.length + scenes.length === 0)
    return <p className="esp-empty">{app.t("assets.none")}</p>;
  return (
    <>
      {names.length === 0 ? null : <h3 className="esp-sub">{app.t("assets.prefabs")}</h3>}
      <div className="esp-assets" hidden={names.length === 0}>
        {names.map((name) => (
          <button
            key={name}
            type="button"
            className="esp-asset"
            draggable
            title={`${name}: ${app.t("assets.hint")}`}
            data-asset={name}
            onDragStart={(event) =>
              event.dataTransfer.setData(PREFAB_TYPE, referenceTo(name, app.document.file))
            }
            onDoubleClick={() =>
              app.notes.attempt(() =>
                instantiatePrefab(app.document, referenceTo(name, app.document.file), {
                  parent: app.document.selection.primary ?? null,
                }),
              )
            }
          >
            {icons.prefab}
            <span>{name.replace(/\.prefab\.jsonc?$/, "")}</span>
          </button>
        ))}
      </div>
      {images.length === 0 ? null : <h3 className="esp-sub">{app.t("assets.images")}</h3>}
      <div className="esp-assets" hidden={images.length === 0}>
        {images.map(({ name, url }) => (
          <button
            key={name}
            type="button"
            className="esp-asset"
            draggable
            title={`${name}: ${app.t("assets.hint")}`}
            data-asset={name}
            onDragStart={(event) => event.dataTransfer.setData(IMAGE_TYPE, name)}
          >
            <img src={url} alt="" draggable={false} />
            <span>{name}</span>
          </button>
        ))}
      </div>
      {scenes.length === 0 ? null : <h3 className="esp-sub">{app.t("assets.scenes")}</h3>}
      <ul className="esp-list">
        {scenes.map((path) => (
          <li key={path}>
            <button type="button" onClick={() => void openFromProject(app, path)}>
              <span className="grow">{path}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
