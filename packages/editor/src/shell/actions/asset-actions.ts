/** Adding prefabs, images and sounds to the scene, by any gesture or command. */
import type { Entity } from "espalier";
import { Sound } from "espalier/audio";
import { Sprite } from "espalier/render";
import { instanceOf } from "espalier/scene";
import { Transform2D } from "espalier/transform";
import { setField } from "../../commands/components/set-field.ts";
import { instantiatePrefab } from "../../commands/scene/instantiate-prefab.ts";
import { replaceEntities } from "../../commands/scene/replace-entities.ts";
import { createEntity } from "../../commands/tree/create-entity.ts";
import type { MoveTarget } from "../../commands/tree/move-entities.ts";
import { refreshProject } from "../../files/refresh-project.ts";
import type { App } from "../app.ts";

/** The kinds of things that can be dragged from the asset panel. */
const PREFAB_TYPE = "application/x-espalier-prefab";
const IMAGE_TYPE = "application/x-espalier-image";
const SOUND_TYPE = "application/x-espalier-sound";

/** What a drag of each kind carries. */
export const dragTypes = { prefab: PREFAB_TYPE, image: IMAGE_TYPE, sound: SOUND_TYPE } as const;

/** A prefab by the name that the document uses for it, or an image or a sound by its name. */
export interface Asset {
  readonly kind: "prefab" | "image" | "sound";
  readonly name: string;
}

export interface AssetTarget extends Partial<MoveTarget> {
  /** In the world. */
  readonly at?: { readonly x: number; readonly y: number } | undefined;
}

/** Creates an instance of a prefab, a sprite of an image, or an entity with a sound, and selects it. */
export function addAsset(app: App, { kind, name }: Asset, target: AssetTarget = {}): Entity | undefined {
  const { document } = app;
  const { at, parent = null, ...beside } = target;
  const made = app.notes.attempt(() => {
    if (kind === "prefab") return instantiatePrefab(document, name, { parent, ...beside, ...at });
    const components = [Transform2D, kind === "image" ? Sprite({ texture: name }) : Sound({ sound: name })];
    const label = (name.split("/").at(-1) ?? name).replace(/\.\w+$/, "");
    return createEntity(document, {
      parent,
      ...beside,
      name: label,
      components,
      ...(at === undefined ? {} : { at }),
    });
  });
  if (made !== undefined && parent !== null) app.view.setExpanded([parent], true);
  return made;
}

/** As a child of the selected entity; after it if that is of the same asset, so that adding it again makes siblings and not a chain. */
export function addToSelected(app: App, asset: Asset): void {
  const { tree, selection } = app.document;
  const selected = selection.primary;
  if (selected !== undefined && isOfAsset(app, selected, asset)) {
    addAsset(app, asset, { parent: tree.parentOf(selected), after: selected });
  } else addAsset(app, asset, { parent: selected ?? null });
}

function isOfAsset({ document: { tree, world } }: App, entity: Entity, { kind, name }: Asset): boolean {
  switch (kind) {
    case "prefab": {
      const instance = instanceOf(tree, entity);
      return instance?.root === entity && instance.prefab === name;
    }
    case "image":
      return world.get(entity, Sprite)?.texture === name;
    case "sound":
      return world.get(entity, Sound)?.sound === name;
  }
}

/** The selected entities that have a sprite. */
export function selectedSprites({ document }: App): readonly Entity[] {
  return document.selection.entities.filter((entity) => document.world.has(entity, Sprite));
}

/** Gives the selected sprites another texture. */
export function useTexture(app: App, name: string): void {
  app.notes.attempt(() => setField(app.document, selectedSprites(app), Sprite, "texture", name));
}

/** Replaces the selected entities by instances of a prefab. */
export function replaceSelected(app: App, prefab: string): void {
  const { document } = app;
  app.notes.attempt(() => replaceEntities(document, document.selection.entities, prefab));
}

/** The dragged asset; `undefined` when something else is dragged. */
export function assetOf(data: DataTransfer): Asset | undefined {
  for (const kind of ["prefab", "image", "sound"] as const) {
    const name = data.getData(dragTypes[kind]);
    if (name !== "") return { kind, name };
  }
  return undefined;
}

/** Whether an asset of the project is dragged; which one is known only when it is dropped. */
export function isAssetDrag({ types }: DataTransfer): boolean {
  return Object.values(dragTypes).some((type) => types.includes(type));
}

const IMAGE_FILE = /\.(png|jpe?g|webp|gif|avif)$/i;

/** The images among files from the desktop. */
export function imagesIn(files: FileList): readonly File[] {
  return [...files].filter(({ name }) => IMAGE_FILE.test(name));
}

/** Copies images from the desktop into the project and makes sprites of them. Without a project they cannot be kept, which is reported. */
export async function addImageFiles(app: App, files: readonly File[], target: AssetTarget): Promise<void> {
  const { addImage } = app.files ?? {};
  if (addImage === undefined || app.project.isServed !== true) {
    app.notes.say(app.t("file.imageNeedsServer"), "error");
    return;
  }
  for (const file of files) {
    try {
      const name = await addImage(file);
      await refreshProject(app);
      addAsset(app, { kind: "image", name }, target);
    } catch (error) {
      app.notes.fail(error);
    }
  }
}
