/** The tree of the document: every row that is open, of any number of entities. */
import { useVirtualizer } from "@tanstack/react-virtual";
import type { Entity } from "espalier";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { assignSlots } from "../document/row-slots.ts";
import type { DropTarget } from "../document/tree/drop-target.ts";
import { type Indentation, indentationFor } from "../document/tree/indentation.ts";
import { MOST_PINS, type Pin, pinnedAncestors } from "../document/tree/pinned-ancestors.ts";
import type { Rows } from "../document/tree/rows.ts";
import type { App } from "../shell/app.ts";
import { openEntityMenu } from "../shell/menu/entity-menu.ts";
import { useApp, useLive } from "../shell/use-app.ts";
import { HierarchyHead, HierarchySearch } from "./hierarchy-head.tsx";
import { useTreeKeys } from "./hierarchy-keys.ts";
import { HierarchyPins } from "./hierarchy-pins.tsx";
import { HierarchyRow, type RowHandlers, rowId, rowState } from "./hierarchy-row.tsx";
import { HierarchyTrail } from "./hierarchy-trail.tsx";
import { useAssetDrop } from "./use-asset-drop.ts";
import { describe, ROW_HEIGHT, type RowDrag, useRowDrag } from "./use-row-drag.ts";

export function HierarchyPanel(): ReactNode {
  const app = useApp();
  const { document } = app;
  useLive(app, "rows");
  const { rows, found } = app.view.shown;
  const { entities } = rows;
  const list = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState<Entity | undefined>();
  const { renaming } = app.view;
  const [announcement, announce] = useState("");
  const dragging = useRowDrag(app, list, announce);
  const assetDrop = useAssetDrop(app, list);
  const matches = useMemo(() => new Set(found?.matches), [found]);
  const virtual = useVirtualizer({
    count: entities.length,
    getScrollElement: () => list.current,
    estimateSize: () => ROW_HEIGHT,
    // Rows out of view cost a running game as much as visible ones.
    overscan: app.isLive ? 2 : 8,
    // A row that is scrolled to must not be under the pins.
    scrollPaddingStart: MOST_PINS * ROW_HEIGHT,
  });

  // The first match may be ten thousand rows down.
  const firstMatch = found?.matches[0];
  useEffect(() => {
    if (firstMatch === undefined) return;
    const index = app.view.shown.rows.entities.indexOf(firstMatch);
    if (index >= 0) virtual.scrollToIndex(index, { align: "auto" });
  }, [app, firstMatch, virtual]);

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

  const goTo = (index: number, extend: boolean) => {
    // Read again: opening a parent changes the rows.
    const shown = app.view.shown.rows.entities;
    const to = Math.max(0, Math.min(shown.length - 1, index));
    const entity = shown[to];
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

  const goToEntity = (entity: Entity) => {
    app.view.reveal(entity);
    goTo(app.view.shown.rows.entities.indexOf(entity), false);
  };
  const onKeyDown = useTreeKeys({
    app,
    list,
    focused,
    dragging,
    goTo,
    goToEntity,
    rename: (entity) => app.view.rename(entity),
    announce,
  });

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
    app.view.rename(isOn ? entity : undefined);
    if (!isOn) list.current?.focus({ preventScroll: true });
  };

  // Rows are re-rendered only when what they show changes, so their handlers must stay the same.
  const latest = useRef({ begin: dragging.begin, click, rename });
  useEffect(() => {
    latest.current = { begin: dragging.begin, click, rename };
  });
  const handlers = useMemo<RowHandlers>(
    () => ({
      pointerDown: (event, entity) => latest.current.begin(event, entity),
      click: (event, entity) => latest.current.click(event, entity),
      rename: (entity, isOn) => latest.current.rename(entity, isOn),
      menu: (event, entity) => openEntityMenu(app, event, entity),
    }),
    [app],
  );

  const items = virtual.getVirtualItems();
  app.live.rowsOnScreen = items.map(({ index }) => entities[index] as Entity);
  // While scrolling, elements keep their position in the document, since every move there causes a new layout; at rest they
  // are put in order.
  const slots = useRef<ReadonlyMap<Entity, number>>(new Map());
  slots.current = assignSlots(slots.current, app.live.rowsOnScreen);
  const slotOf = ({ index }: { readonly index: number }) => slots.current.get(entities[index] as Entity) ?? 0;
  const inOrder = virtual.isScrolling ? [...items].sort((a, b) => slotOf(a) - slotOf(b)) : items;
  const first = Math.floor((virtual.scrollOffset ?? 0) / ROW_HEIGHT);
  const last = Math.min(
    entities.length,
    first + Math.ceil((virtual.scrollRect?.height ?? 0) / ROW_HEIGHT) + 1,
  );
  const pins = pinnedAncestors(document.tree, rows, first, app.view.branch);
  const indentation = indentationOf(rows, first, last, pins, virtual.scrollRect?.width ?? 280);
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
        style={{ "--base": indentation.base, "--step": `${indentation.step}px` } as React.CSSProperties}
        onKeyDown={onKeyDown}
        onFocus={() => {
          if (focused === undefined) setFocused(document.selection.primary ?? entities[0]);
        }}
        {...assetDrop.handlers}
        onContextMenu={(event) => {
          if (!event.defaultPrevented) openEntityMenu(app, event, undefined);
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
        <HierarchyPins pins={pins} onClick={goToEntity} />
        <div
          role="none"
          data-space="true"
          style={{
            height: virtual.getTotalSize() + ROW_HEIGHT,
            position: "relative",
            minWidth: widthOf(app, rows, first, last, indentation),
          }}
        >
          {inOrder.map((item) => {
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
          <DropMark target={dragging.drag?.target ?? assetDrop.target} />
        </div>
      </div>
      <HierarchyTrail />
      <DragLabel drag={dragging.drag} />
      <div className="esp-sr" aria-live="assertive">
        {announcement}
      </div>
    </section>
  );
}

function DropMark({ target }: { readonly target: DropTarget | undefined }): ReactNode {
  if (target === undefined) return null;
  const bad = target.refusal === undefined ? "" : "bad";
  if (target.shape === "into") {
    return <div role="none" className={`esp-drop-into ${bad}`} style={{ top: target.row * ROW_HEIGHT }} />;
  }
  const top = target.row * ROW_HEIGHT - 1;
  return (
    <div
      role="none"
      className={`esp-drop-line ${bad}`}
      style={{ top, "--depth": target.depth } as React.CSSProperties}
    />
  );
}

/** For the rows on the screen and the pins above them. */
function indentationOf(
  { depths }: Rows,
  first: number,
  last: number,
  pins: readonly Pin[],
  width: number,
): Indentation {
  const near = pins.find(({ skipped }) => skipped === 0);
  let shallowest = near?.depth ?? depths[first + pins.length] ?? 0;
  let deepest = 0;
  for (let k = first + pins.length; k < last; k++) {
    shallowest = Math.min(shallowest, depths[k] as number);
    deepest = Math.max(deepest, depths[k] as number);
  }
  return indentationFor(shallowest, deepest, width);
}

/** Pixels that a character takes, roughly; a row that is wider than the panel can be scrolled to the side. */
const CHARACTER = 6.6;
/** Pixels of a row besides its indentation and its name. */
const AROUND_NAME = 92;

function widthOf(
  { document }: App,
  { entities, depths }: Rows,
  first: number,
  last: number,
  { base, step }: Indentation,
): number {
  let widest = 0;
  for (let k = first; k < last; k++) {
    const entity = entities[k] as Entity;
    if (!document.world.isAlive(entity)) continue;
    const indent = Math.max(0, (depths[k] as number) - base) * step;
    widest = Math.max(widest, indent + AROUND_NAME + document.label(entity).length * CHARACTER);
  }
  return Math.ceil(widest);
}

function DragLabel({ drag }: { readonly drag: RowDrag | undefined }): ReactNode {
  const app = useApp();
  if (drag === undefined || (drag.target === undefined && drag.over === undefined)) return null;
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
    <div className={`esp-drag-label ${target?.refusal === undefined ? "" : "bad"}`} style={style}>
      <b>{name}</b>
      <small>
        {target === undefined
          ? app.t("hierarchy.drop.reference")
          : (target.refusal ?? `${describe(app, target)}, ${keep}`)}
      </small>
    </div>
  );
}
