/**
 * The scene format of the editor: the components of the library and those of the project, and those that the editor keeps in
 * the world without saving them.
 */
import { type AnyComponent, isComponent, Props } from "espalier";
import { audioComponents } from "espalier/audio";
import { motionComponents } from "espalier/game";
import { hierarchyComponents } from "espalier/hierarchy";
import { inheritComponents } from "espalier/inherit";
import { physicsComponents } from "espalier/physics";
import { renderComponents } from "espalier/render";
import { type ComponentRegistration, createSceneFormat, type SceneFormat } from "espalier/scene";
import { transformComponents } from "espalier/transform";
import { EditorLock } from "./locked.ts";

/** The components of the library that a scene may hold. */
export function libraryComponents(): readonly (AnyComponent | ComponentRegistration)[] {
  return [
    ...transformComponents,
    ...renderComponents(),
    ...inheritComponents,
    ...hierarchyComponents,
    ...motionComponents,
    ...physicsComponents,
    ...audioComponents,
    Props,
  ];
}

/** The name of a component, however it is registered. */
export function nameOf(item: AnyComponent | ComponentRegistration): string {
  return isComponent(item) ? item.name : item.component.name;
}

/** A component of the same name in `own` replaces the library's. */
export function createEditorFormat(own: readonly AnyComponent[] = [], version = 1): SceneFormat {
  const names = new Set(own.map(({ name }) => name));
  const components = [...libraryComponents().filter((item) => !names.has(nameOf(item))), ...own];
  return createSceneFormat({ components, transient: [EditorLock], version, migrations: passedOn(version) });
}

/** Migrations are code of the project, which does not run here: older files are loaded as they are. */
function passedOn(version: number): { readonly [from: number]: () => void } {
  return Object.fromEntries(Array.from({ length: version - 1 }, (_, k) => [k + 1, () => {}]));
}
