/** Dragging rows of the tree with the pointer, or with the keyboard. */
import type { Entity } from "espalier";
import { type RefObject, useEffect, useRef, useState } from "react";
import { moveEntities } from "../commands/tree/move-entities.ts";
import { type DropRows, type DropTarget, dropTargetAt } from "../document/tree/drop-target.ts";
import type { App } from "../shell/app.ts";
import type { EntityDrop } from "../shell/view-state.ts";

export interface RowDrag {
  readonly dragged: readonly Entity[];
  readonly target: DropTarget | undefined;
  readonly keep: "world" | "local";
  readonly x: number;
  readonly y: number;
  /** With the keyboard: the height in the list, in quarter rows. */
  readonly keyboard: boolean;
  /** The reference input under the pointer, if it is not over the tree. */
  readonly over?: EntityDrop | undefined;
}

/** Pixels that the pointer may move before it counts as a drag. */
const THRESHOLD = 4;
const OPEN_AFTER = 600;

export const ROW_HEIGHT = 22;
/** Where the icon of a root begins, in pixels. */
const NAME_LEFT = 22;

export interface RowDragging {
  readonly drag: RowDrag | undefined;
  /** To be called when a pointer goes down on a row. */
  begin(event: React.PointerEvent, entity: Entity): void;
  beginByKeyboard(): void;
  /** Handles a key while something is dragged with the keyboard; `true` when it did. */
  key(event: React.KeyboardEvent): boolean;
}

export function useRowDrag(
  app: App,
  list: RefObject<HTMLDivElement | null>,
  announce: (text: string) => void,
): RowDragging {
  const [drag, setDrag] = useState<RowDrag | undefined>();
  const now = useRef<RowDrag | undefined>(undefined);
  const height = useRef(0);
  const depth = useRef<number | undefined>(undefined);
  const cleanUp = useRef<(() => void) | undefined>(undefined);
  const show = (next: RowDrag | undefined) => {
    now.current = next;
    setDrag(next);
  };
  useEffect(() => () => cleanUp.current?.(), []);

  const what = (dragged: readonly Entity[]) =>
    dragged.length === 1
      ? app.document.label(dragged[0] as Entity)
      : app.t("status.entities", { count: dragged.length });

  const targetAt = (height: number, dragged: readonly Entity[], depth?: number) =>
    dropTargetAt(app.document, shownRows(app), height, dragged, depth);

  const drop = ({ dragged, target, keep, over }: RowDrag) => {
    if (over !== undefined) over.take(dragged.at(-1) as Entity);
    if (target === undefined || !dragged.every((one) => app.document.world.isAlive(one))) return;
    if (target.refusal !== undefined) {
      app.notes.say(target.refusal, "error");
      announce(target.refusal);
      return;
    }
    app.notes.attempt(() => {
      moveEntities(app.document, dragged, target, { keep });
      app.document.selection.replace(dragged);
    });
    if (target.parent !== null) app.view.setExpanded([target.parent], true);
    announce(app.t("hierarchy.drag.done", { what: what(dragged) }));
  };

  const begin = (event: React.PointerEvent, entity: Entity) => {
    if (event.button !== 0) return;
    const { clientX: startX, clientY: startY } = event;
    /** Rows opened by hovering over them. They close again, unless something is dropped in them. */
    const sprung: Entity[] = [];
    let opening: { readonly entity: Entity; readonly timer: ReturnType<typeof setTimeout> } | undefined;
    let scroll = 0;
    let frame = 0;
    const { document } = app;
    const { selection } = document;
    const update = (x: number, y: number, alt: boolean) => {
      const box = list.current?.getBoundingClientRect();
      if (box === undefined || list.current === null) return;
      const { world } = app.document;
      const started = now.current?.dragged ?? (selection.has(entity) ? selection.entities : [entity]);
      // Undo, a key or the game itself may destroy them in the middle of a drag.
      const dragged = started.filter((one) => world.isAlive(one));
      if (dragged.length === 0 || document !== app.document) {
        end(false);
        return;
      }
      const rows = (y - box.top + list.current.scrollTop) / ROW_HEIGHT;
      const isOver = x >= box.left - 40 && x <= box.right + 40 && y >= box.top - 20 && y <= box.bottom + 40;
      const left = x - box.left + list.current.scrollLeft;
      const target = isOver ? targetAt(rows, dragged, levelAt(list.current, left)) : undefined;
      const field = isOver ? undefined : app.view.dropAt(x, y);
      scroll = !isOver ? 0 : y < box.top + 24 ? -8 : y > box.bottom - 24 ? 8 : 0;
      const over = target?.kind === "into" ? target.beside : undefined;
      if (opening?.entity !== over) {
        clearTimeout(opening?.timer);
        opening =
          over === undefined || app.view.isExpanded(over)
            ? undefined
            : { entity: over, timer: setTimeout(() => open(over), OPEN_AFTER) };
      }
      show({ dragged, target, keep: alt ? "local" : "world", x, y, keyboard: false, over: field });
    };
    const open = (over: Entity) => {
      sprung.push(over);
      app.view.setExpanded([over], true);
    };
    const move = (moved: PointerEvent) => {
      if (now.current === undefined && Math.hypot(moved.clientX - startX, moved.clientY - startY) < THRESHOLD)
        return;
      update(moved.clientX, moved.clientY, moved.altKey);
    };
    const tick = () => {
      if (scroll !== 0 && now.current !== undefined && list.current !== null) {
        list.current.scrollTop += scroll;
        update(now.current.x, now.current.y, now.current.keep === "local");
      }
      frame = requestAnimationFrame(tick);
    };
    const key = (pressed: KeyboardEvent) => {
      if (now.current === undefined) return;
      if (pressed.key === "Escape") end(false);
      else if (pressed.key === "Alt") {
        pressed.preventDefault();
        show({ ...now.current, keep: pressed.type === "keydown" ? "local" : "world" });
      }
    };
    const end = (drops: boolean) => {
      cleanUp.current?.();
      cleanUp.current = undefined;
      const last = now.current;
      show(undefined);
      if (drops && last !== undefined) drop(last);
      const into = drops && last?.target?.refusal === undefined ? last?.target?.parent : undefined;
      const { tree, world } = app.document;
      app.view.setExpanded(
        sprung.filter(
          (one) =>
            world.isAlive(one) &&
            one !== into &&
            (into === undefined || into === null || !tree.isAncestor(one, into)),
        ),
        false,
      );
    };
    const up = () => end(true);
    // The system cancelled the pointer: not a drop.
    const cancel = () => end(false);
    cleanUp.current = () => {
      clearTimeout(opening?.timer);
      cancelAnimationFrame(frame);
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", up);
      removeEventListener("pointercancel", cancel);
      removeEventListener("keydown", key, true);
      removeEventListener("keyup", key, true);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", up);
    addEventListener("pointercancel", cancel);
    addEventListener("keydown", key, true);
    addEventListener("keyup", key, true);
    frame = requestAnimationFrame(tick);
  };

  const beginByKeyboard = () => {
    const dragged = app.document.selection.entities;
    if (dragged.length === 0) return;
    const { entities } = app.view.shown.rows;
    depth.current = undefined;
    height.current = Math.max(0, entities.indexOf(app.document.selection.primary as Entity)) + 0.5;
    show({ dragged, target: targetAt(height.current, dragged), keep: "world", x: 0, y: 0, keyboard: true });
    announce(app.t("hierarchy.drag.start", { what: what(dragged) }));
  };

  const key = (event: React.KeyboardEvent): boolean => {
    const last = now.current;
    if (last === undefined || !last.keyboard) return false;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Escape") {
      show(undefined);
      announce(app.t("hierarchy.drag.cancelled"));
    } else if (event.key === "Enter") {
      show(undefined);
      drop(last);
    } else if (event.key.startsWith("Arrow")) {
      // Half rows: between two rows, then in the middle of the next. Left and right choose the depth, where there is a choice.
      const count = app.view.shown.rows.entities.length;
      const by = event.key === "ArrowDown" ? 0.5 : event.key === "ArrowUp" ? -0.5 : 0;
      height.current = Math.max(0, Math.min(count + 0.5, height.current + by));
      if (by !== 0) depth.current = undefined;
      else depth.current = (last.target?.depth ?? 0) + (event.key === "ArrowLeft" ? -1 : 1);
      // Between rows means the lower edge of the row above, where the depth can be chosen.
      const at =
        Number.isInteger(height.current) && height.current > 0 ? height.current - 0.1 : height.current;
      const target = targetAt(at, last.dragged, depth.current);
      show({ ...last, target });
      announce(target.refusal ?? describe(app, target));
    } else if (event.key === "Alt") show({ ...last, keep: last.keep === "world" ? "local" : "world" });
    return true;
  };
  return { drag, begin, beginByKeyboard, key };
}

/** The rows as shown, as drop targets. */
export function shownRows(app: App): DropRows {
  const { view } = app;
  return {
    rows: view.shown.rows,
    isExpanded: (entity) => view.searchText !== "" || view.isExpanded(entity),
    branch: view.branch,
    isSorted: view.settings.sortByName,
  };
}

/** The depth of a row whose name would begin at a point of the list, in pixels from its left edge. */
export function levelAt(list: HTMLElement, left: number): number {
  const base = Number(list.style.getPropertyValue("--base"));
  const step = Number.parseFloat(list.style.getPropertyValue("--step"));
  return Math.max(0, Math.floor((left - NAME_LEFT) / step) + base);
}

/** Describes what dropping there does. */
export function describe(app: App, { kind, beside }: DropTarget): string {
  const name = beside === undefined ? "" : app.document.label(beside);
  return app.t(`hierarchy.drop.${kind}`, { name });
}
