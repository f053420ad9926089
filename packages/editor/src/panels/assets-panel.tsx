/** Prefabs, images, sounds and scenes of the project. */
import type { ReactNode } from "react";
import { referenceTo } from "../files/prefab-lookup.ts";
import { type Asset, addToSelected, dragTypes } from "../shell/actions/asset-actions.ts";
import { openFromProject } from "../shell/actions/file-actions.ts";
import { icons } from "../shell/icons.tsx";
import { imageGroups, prefabGroups, soundGroups } from "../shell/menu/asset-menu.ts";
import type { MenuGroups } from "../shell/menu/menu-item.ts";
import { useAppItself, useAppValue } from "../shell/use-app.ts";
import { PrefabPicture } from "./prefab-picture.tsx";

export function AssetsPanel(): ReactNode {
  const app = useAppItself();
  const { scenes, prefabs, images, sounds = [] } = useAppValue(({ project }) => project);
  const names = Object.keys(prefabs);
  if (names.length + images.length + sounds.length + scenes.length === 0)
    return <p className="esp-empty">{app.t("assets.none")}</p>;
  return (
    <>
      {names.length === 0 ? null : <h3 className="esp-sub">{app.t("assets.prefabs")}</h3>}
      <div className="esp-assets" hidden={names.length === 0}>
        {names.map((path) => (
          <AssetTile
            key={path}
            asset={{ kind: "prefab", name: referenceTo(path, app.document.file) }}
            path={path}
            label={(path.split("/").at(-1) ?? path).replace(/\.prefab\.jsonc?$/, "")}
            picture={<PrefabPicture path={path} text={prefabs[path] ?? ""} />}
            menu={() => prefabGroups(app, path)}
          />
        ))}
      </div>
      {images.length === 0 ? null : <h3 className="esp-sub">{app.t("assets.images")}</h3>}
      <div className="esp-assets" hidden={images.length === 0}>
        {images.map(({ name, url }) => (
          <AssetTile
            key={name}
            asset={{ kind: "image", name }}
            path={name}
            label={name}
            picture={<img src={url} alt="" draggable={false} />}
            menu={() => imageGroups(app, name)}
          />
        ))}
      </div>
      {sounds.length === 0 ? null : <h3 className="esp-sub">{app.t("assets.sounds")}</h3>}
      <div className="esp-assets" hidden={sounds.length === 0}>
        {sounds.map((name) => (
          <AssetTile
            key={name}
            asset={{ kind: "sound", name }}
            path={name}
            label={name.split("/").at(-1) ?? name}
            picture={icons.sound}
            menu={() => soundGroups(app, name)}
          />
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

interface TileProps {
  readonly asset: Asset;
  readonly path: string;
  readonly label: string;
  readonly picture: ReactNode;
  readonly menu: () => MenuGroups;
}

/** Dragged, added by double click or Enter, and walked through with the arrow keys. */
function AssetTile({ asset, path, label, picture, menu }: TileProps): ReactNode {
  const app = useAppItself();
  return (
    <button
      type="button"
      className="esp-asset"
      draggable
      title={`${path}: ${app.t("assets.hint")}`}
      data-asset={path}
      onDragStart={(event) => event.dataTransfer.setData(dragTypes[asset.kind], asset.name)}
      onDoubleClick={() => addToSelected(app, asset)}
      onContextMenu={(event) => {
        event.preventDefault();
        app.view.openMenu({ x: event.clientX, y: event.clientY, label, groups: menu() });
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter") addToSelected(app, asset);
        else if (event.key === "ArrowRight") step(event.currentTarget, 1);
        else if (event.key === "ArrowLeft") step(event.currentTarget, -1);
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      {picture}
      <span>{label}</span>
    </button>
  );
}

function step(from: HTMLElement, by: number): void {
  const all = [...(from.closest("[role=tabpanel]")?.querySelectorAll<HTMLElement>(".esp-asset") ?? [])];
  all[all.indexOf(from) + by]?.focus();
}
