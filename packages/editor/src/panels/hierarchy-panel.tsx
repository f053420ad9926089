/** The tree of the document: every row that is open, of any number of entities. */
import { useVirtualizer } from "@tanstack/react-virtual";
import type { Entity } from "espalier";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { assignSlots } from "../document/row-slots.ts";
import { useApp, useLive } from "../shell/use-app.ts";
import { HierarchyHead, HierarchySearch } from "./hierarchy-head.tsx";
import { HierarchyRow, type RowHandlers, rowId, rowState } from "./hierarchy-row.tsx";
import { describe, ROW_HEIGHT, type RowDrag, useRowDrag } from "./use-row-drag.ts";

export function HierarchyPanel(): ReactNode {
  const app = useApp();
  const { document } = app;
  useLive(app, "rows");
  const { rows, found } = app.view.shown;
  const { entities } = rows;
  const list = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState<Entity | undefined>();
  const [renaming, setRenaming] = useState<Entity | undefined>();
  const [announcement, announce] = useState("");
  const dragging = useRowDrag(app, list, announce);
  const matches = useMemo(() => new Set(found?.matches), [found]);
  const virtual = useVirtualizer({
    count: entities.length,
    getScrollElement: () => list.current,
    estimateSize: () => ROW_HEIGHT,
    // Rows out of view cost a running game what those in view do.
    overscan: app.isLive ? 2 : 8,
  });

  // Selecting elsewhere, such as in the viewport, brings the row into view.
  const { primary } = document.selection;
  const lastPrimary = useRef<Entity | undefined>(undefined);
  useEffect(() => {
    if (primary === lastPrimary.current) return;
    lastPrimary.current = primary;
    if (primary === undefined || !document.world.isAlive(primary)) return;
    app.view.reveal(primary);
    setFocused(primary);
    const index = app.view.shown.rows.entities.indexOf(primary);
    if (index >= 0) virtual.scrollToIndex(index, { align: "auto" });
  });

  const focusIndex = (): number => (focused === undefined ? -1 : entities.indexOf(focused));
  const goTo = (index: number, extend: boolean) => {
    const to = Math.max(0, Math.min(entities.length - 1, index));
    const entity = entities[to];
    if (entity === undefined) return;
    setFocused(entity);
    virtual.scrollToIndex(to, { align: "auto" });
    if (!extend) {
      lastPrimary.current = entity;
      document.selection.replace([entity]);
      return;
    }
    selectRange(entity);
  };
  const selectRange = (entity: Entity) => {
    const from = entities.indexOf(document.selection.anchor ?? entity);
    const to = entities.indexOf(entity);
    const [low, high] = from < to ? [from, to] : [to, from];
    const range = entities.slice(Math.max(0, low), high + 1);
    document.selection.extend(from < to ? range : range.reverse());
  };

  const onKeyDown = (event: React.KeyboardEvent) => {
    if (dragging.key(event)) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = focusIndex();
    // A world that runs may have destroyed it since it was drawn.
    const entity = [entities[at]].find((one) => one !== undefined && document.world.isAlive(one));
    const handled = () => {
      event.preventDefault();
      event.stopPropagation();
    };
    const page = Math.max(1, Math.floor((list.current?.clientHeight ?? 200) / ROW_HEIGHT) - 1);
    switch (event.key) {
      case "ArrowDown":
        handled();
        return goTo(at + 1, event.shiftKey);
      case "ArrowUp":
        handled();
        return goTo(at - 1, event.shiftKey);
      case "PageDown":
        handled();
        return goTo(at + page, event.shiftKey);
      case "PageUp":
        handled();
        return goTo(at - page, event.shiftKey);
      case "Home":
        handled();
        return goTo(0, event.shiftKey);
      case "End":
        handled();
        return goTo(entities.length - 1, event.shiftKey);
      case "ArrowRight":
        handled();
        if (entity === undefined || document.tree.firstChild(entity) === null) return;
        if (app.view.isExpanded(entity)) return goTo(at + 1, false);
        return app.view.setExpanded([entity], true);
      case "ArrowLeft": {
        handled();
        if (entity === undefined) return;
        if (app.view.isExpanded(entity) && document.tree.firstChild(entity) !== null)
          return app.view.setExpanded([entity], false);
        const parent = document.tree.parentOf(entity);
        if (parent !== null) goTo(entities.indexOf(parent), false);
        return;
      }
      case "F2":
      case "Enter":
        handled();
        return setRenaming(entity);
      case " ":
        handled();
        if (entity !== undefined) document.selection.toggle(entity);
        return;
      case "*":
        handled();
        return app.view.expandAll();
      case "m":
        handled();
        return dragging.beginByKeyboard();
    }
  };

  const click = (event: React.MouseEvent, entity: Entity) => {
    setFocused(entity);
    lastPrimary.current = entity;
    list.current?.focus({ preventScroll: true });
    if (app.view.picking !== undefined) {
      app.view.picking.done(entity);
      app.view.pick(undefined);
    } else if (event.shiftKey) selectRange(entity);
    else if (event.ctrlKey || event.metaKey) document.selection.toggle(entity);
    else document.selection.replace([entity]);
  };

  const rename = (entity: Entity, isOn: boolean) => {
    setRenaming(isOn ? entity : undefined);
    if (!isOn) list.current?.focus({ preventScroll: true });
  };

  // Rows are drawn again only when they show something else, so what they call must stay the same.
  const latest = useRef({ begin: dragging.begin, click, rename });
  useEffect(() => {
    latest.current = { begin: dragging.begin, click, rename };
  });
  const handlers = useMemo<RowHandlers>(
    () => ({
      pointerDown: (event, entity) => latest.current.begin(event, entity),
      click: (event, entity) => latest.current.click(event, entity),
      rename: (entity, isOn) => latest.current.rename(entity, isOn),
    }),
    [],
  );

  const items = virtual.getVirtualItems();
  app.live.rowsOnScreen = items.map(({ index }) => entities[index] as Entity);
  // While rows scroll their elements also stay where they are in the page, since every move there is a new layout; at rest the page
  // has them in their order.
  const slots = useRef<ReadonlyMap<Entity, number>>(new Map());
  slots.current = assignSlots(slots.current, app.live.rowsOnScreen);
  const slotOf = ({ index }: { readonly index: number }) => slots.current.get(entities[index] as Entity) ?? 0;
  const placed = virtual.isScrolling ? [...items].sort((a, b) => slotOf(a) - slotOf(b)) : items;
  const isFocusedShown = focused !== undefined && items.some(({ index }) => entities[index] === focused);
  return (
    <section className="esp-panel" aria-label={app.t("panel.hierarchy")}>
      <HierarchyHead />
      <HierarchySearch />
      {entities.length === 0 ? (
        <p className="esp-empty">{app.t(found === undefined ? "hierarchy.empty" : "hierarchy.noMatch")}</p>
      ) : null}
      <div
        ref={list}
        className="esp-tree"
        role="tree"
        aria-label={app.t("panel.hierarchy")}
        aria-multiselectable="true"
        tabIndex={0}
        onKeyDown={onKeyDown}
        onFocus={() => {
          if (focused === undefined) setFocused(document.selection.primary ?? entities[0]);
        }}
        onClick={(event) => {
          if (
            event.target === event.currentTarget ||
            (event.target as HTMLElement).dataset.space === "true"
          ) {
            document.selection.clear();
          }
        }}
        {...(isFocusedShown ? { "aria-activedescendant": rowId(focused) } : {})}
      >
        <div
          role="none"
          data-space="true"
          style={{ height: virtual.getTotalSize() + ROW_HEIGHT, position: "relative" }}
        >
          {placed.map((item) => {
            const { index } = item;
            const entity = entities[index] as Entity;
            if (!document.world.isAlive(entity)) return null;
            return (
              <HierarchyRow
                key={slotOf(item)}
                {...rowState(app, rows, index)}
                app={app}
                handlers={handlers}
                isFocused={focused === entity}
                isRenaming={renaming === entity}
                isMatch={matches.has(entity)}
                isContext={found !== undefined && !matches.has(entity)}
              />
            );
          })}
          <DropMark drag={dragging.drag} />
        </div>
      </div>
      <DragLabel drag={dragging.drag} />
      <div className="esp-sr" aria-live="assertive">
        {announcement}
      </div>
    </section>
  );
}

function DropMark({ drag }: { readonly drag: RowDrag | undefined }): ReactNode {
  const target = drag?.target;
  if (target === undefined) return null;
  const bad = target.refusal === undefined ? "" : "bad";
  if (target.shape === "into") {
    return <div role="none" className={`esp-drop-into ${bad}`} style={{ top: target.row * ROW_HEIGHT }} />;
  }
  const left = 22 + target.depth * 14;
  return (
    <div
      role="none"
      className={`esp-drop-line ${bad}`}
      style={{ top: target.row * ROW_HEIGHT - 1, left, right: 6 }}
    />
  );
}

function DragLabel({ drag }: { readonly drag: RowDrag | undefined }): ReactNode {
  const app = useApp();
  if (drag === undefined || drag.target === undefined) return null;
  const { target } = drag;
  const dragged = drag.dragged.filter((entity) => app.document.world.isAlive(entity));
  if (dragged.length === 0) return null;
  const name =
    dragged.length === 1
      ? app.document.label(dragged[0] as Entity)
      : app.t("status.entities", { count: dragged.length });
  const keep = app.t(drag.keep === "world" ? "hierarchy.drop.keepWorld" : "hierarchy.drop.keepLocal");
  const style = drag.keyboard ? { left: 24, bottom: 24 } : { left: drag.x + 14, top: drag.y + 12 };
  return (
    <div className={`esp-drag-label ${target.refusal === undefined ? "" : "bad"}`} style={style}>
      <b>{name}</b>
      <small>{target.refusal ?? `${describe(app, target)}, ${keep}`}</small>
    </div>
  );
}
