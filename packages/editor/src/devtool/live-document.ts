/**
 * A running world as a document.
 */
import { type AnyComponent, listComponents, type World } from "espalier";
import type { Hierarchy } from "espalier/hierarchy";
import type { UndoStack } from "espalier/history";
import { sceneComponents } from "espalier/scene";
import type { Transforms2D } from "espalier/transform";
import { EditorDocument } from "../document/document.ts";
import { createEditorFormat } from "../document/format.ts";
import { EditorLock } from "../document/locked.ts";
import { translator } from "../texts.ts";

/** A world, and what the game has created for it. What is missing is created. */
export interface LiveWorldOptions {
  /** The world to look at. */
  readonly world: World;
  /** The hierarchy of the game. */
  readonly tree?: Hierarchy;
  /** Its transforms. */
  readonly space?: Transforms2D;
  /** Its undo history, which edits become part of. */
  readonly history?: UndoStack;
  /** Components that the user may add, besides those the world knows. */
  readonly components?: readonly AnyComponent[];
  /** What the editor calls it. */
  readonly title?: string;
}

/** Opens the world as it is; nothing of it changes. */
export function openLiveDocument(options: LiveWorldOptions): EditorDocument {
  const { world } = options;
  const all = [...componentsOf(world), ...(options.components ?? [])];
  return new EditorDocument({
    world,
    format: createEditorFormat([...new Map(all.map((one) => [one.name, one])).values()]),
    tree: options.tree,
    space: options.space,
    history: options.history,
    title: options.title ?? translator()("app.live"),
  });
}

/** Components that scenes and editors put on entities for themselves; they are in no format. */
export const ownNotes: readonly AnyComponent[] = [...sceneComponents, EditorLock as AnyComponent];

/** The components of a world that the user may see and change. */
export function componentsOf(world: World): AnyComponent[] {
  return listComponents(world)
    .filter(({ reserved }) => reserved === undefined)
    .flatMap(({ name }) => world.componentNamed(name) ?? [])
    .filter((component) => !ownNotes.includes(component));
}
