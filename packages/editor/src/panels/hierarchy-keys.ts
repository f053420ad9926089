/** The keys of the tree: walking, opening, renaming, and finding a row by typing its name. */
import type { Entity } from "espalier";
import { useRef } from "react";
import { findAhead, TypeAhead } from "../document/tree/type-ahead.ts";
import { actionFor } from "../shell/actions/actions.ts";
import type { App } from "../shell/app.ts";
import { ROW_HEIGHT, type RowDragging } from "./use-row-drag.ts";

export interface TreeKeys {
  readonly app: App;
  readonly list: React.RefObject<HTMLDivElement | null>;
  readonly focused: Entity | undefined;
  readonly dragging: RowDragging;
  /** Goes to a row of the list. */
  readonly goTo: (index: number, extend: boolean) => void;
  /** Goes to an entity, which may be in a parent that is closed. */
  readonly goToEntity: (entity: Entity) => void;
  readonly rename: (entity: Entity | undefined) => void;
  readonly announce: (text: string) => void;
}

/** Handles keys of the tree; other keys are left to the actions of the editor. */
export function useTreeKeys(keys: TreeKeys): (event: React.KeyboardEvent) => void {
  const ahead = useRef(new TypeAhead());
  return (event) => {
    const { app, dragging } = keys;
    if (dragging.key(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    const { rows } = app.view.shown;
    const at = keys.focused === undefined ? -1 : rows.entities.indexOf(keys.focused);
    const isTypingAhead = ahead.current.isOn(event.timeStamp);
    if (isLetter(event) || (event.key === " " && isTypingAhead)) {
      const text = ahead.current.type(event.key, event.timeStamp);
      const found = findAhead(app.document, rows, at, text, app.view.branch);
      if (found === undefined) keys.announce(app.t("hierarchy.noName", { text }));
      else keys.goToEntity(found);
    } else if (isShortcutOfLetter(event, app)) runLetter(event, keys);
    else if (!handle(event, keys, at)) return;
    event.preventDefault();
    event.stopPropagation();
  };
}

/** Letters search by name; letter shortcuts of the editor need Shift here. */
function isLetter({ key, shiftKey }: React.KeyboardEvent): boolean {
  return !shiftKey && /^[\p{L}\p{N}_]$/u.test(key);
}

function isShortcutOfLetter({ key, shiftKey }: React.KeyboardEvent, app: App): boolean {
  return shiftKey && /^[A-Z]$/.test(key) && actionFor(app, `Shift+${key}`) === undefined;
}

function runLetter({ key }: React.KeyboardEvent, { app, dragging }: TreeKeys): void {
  if (key === "M") dragging.beginByKeyboard();
  else actionFor(app, key)?.run(app);
}

/** `false` when the key means nothing here. */
function handle(event: React.KeyboardEvent, keys: TreeKeys, at: number): boolean {
  const { app, goTo } = keys;
  const { document, view } = app;
  const { entities } = view.shown.rows;
  // A running world may have destroyed it since it was drawn.
  const entity = [entities[at]].find((one) => one !== undefined && document.world.isAlive(one));
  const hasChildren = entity !== undefined && document.tree.firstChild(entity) !== null;
  const page = Math.max(1, Math.floor((keys.list.current?.clientHeight ?? 200) / ROW_HEIGHT) - 1);
  switch (event.key) {
    case "ArrowDown":
      goTo(at + 1, event.shiftKey);
      return true;
    case "ArrowUp":
      goTo(at - 1, event.shiftKey);
      return true;
    case "PageDown":
      goTo(at + page, event.shiftKey);
      return true;
    case "PageUp":
      goTo(at - page, event.shiftKey);
      return true;
    case "Home":
      goTo(0, event.shiftKey);
      return true;
    case "End":
      goTo(entities.length - 1, event.shiftKey);
      return true;
    case "ArrowRight":
      if (entity === undefined || !hasChildren) return true;
      if (view.isExpanded(entity)) goTo(at + 1, false);
      else view.setExpanded([entity], true);
      return true;
    case "ArrowLeft": {
      if (entity === undefined) return true;
      const parent = document.tree.parentOf(entity);
      if (view.isExpanded(entity) && hasChildren) view.setExpanded([entity], false);
      else if (parent !== null && entity !== view.branch) goTo(entities.indexOf(parent), false);
      return true;
    }
    case "F2":
    case "Enter":
      keys.rename(entity);
      return true;
    case " ":
      if (entity !== undefined) document.selection.toggle(entity);
      return true;
    case "*":
      view.expandAll();
      return true;
    default:
      return false;
  }
}
