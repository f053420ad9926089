/** One row of the tree. */
import type { Entity } from "espalier";
import { memo, type ReactNode, useRef, useState } from "react";
import { toggleLock } from "../commands/state/toggle-lock.ts";
import { isOwnHidden, toggleVisibility } from "../commands/state/toggle-visibility.ts";
import { renameEntity } from "../commands/tree/rename-entity.ts";
import type { Rows } from "../document/tree/rows.ts";
import type { App } from "../shell/app.ts";
import { icons } from "../shell/icons.tsx";
import { type MarkIcon, rowMark } from "../shell/row-marks.ts";
import { warningsOf } from "../shell/row-warnings.ts";
import { ROW_HEIGHT } from "./use-row-drag.ts";

/** The handlers of rows: one object for all rows and all renders. */
export interface RowHandlers {
  readonly pointerDown: (event: React.PointerEvent, entity: Entity) => void;
  readonly click: (event: React.MouseEvent, entity: Entity) => void;
  readonly rename: (entity: Entity, isOn: boolean) => void;
  readonly menu: (event: React.MouseEvent, entity: Entity) => void;
}

/** Everything that a row shows, as plain values: a row with the same values is not re-rendered. */
export interface RowState {
  readonly entity: Entity;
  readonly index: number;
  readonly depth: number;
  readonly position: number;
  readonly siblings: number;
  readonly label: string;
  /** The components of an entity without a name. */
  readonly hint: string;
  readonly kind: RowKind;
  readonly hasChildren: boolean;
  readonly isOpen: boolean;
  readonly isUnnamed: boolean;
  readonly isSelected: boolean;
  readonly isPrimary: boolean;
  readonly isHidden: boolean;
  readonly isEffectiveHidden: boolean;
  readonly isLocked: boolean;
  readonly isEffectiveLocked: boolean;
  readonly isChanged: boolean;
  readonly prefab: "root" | "member" | undefined;
  readonly prefabName: string;
  /** Its warnings as text; empty when there are none. */
  readonly warning: string;
  /** The colour of its icon; empty for the usual one. */
  readonly color: string;
  /** People that have it selected on other pages: their names, and the colours of the first few. Empty when there are none. */
  readonly others: string;
  readonly otherColors: string;
}

export interface RowProps extends RowState {
  readonly app: App;
  readonly handlers: RowHandlers;
  readonly isFocused: boolean;
  readonly isRenaming: boolean;
  readonly isMatch: boolean;
  readonly isContext: boolean;
}

type RowKind = "prefab" | "folder" | MarkIcon;

export function rowId(entity: Entity): string {
  return `esp-row-${entity}`;
}

/** Reads what a row shows. */
export function rowState(app: App, { entities, depths, positions }: Rows, index: number): RowState {
  const { document } = app;
  const { tree, selection } = document;
  const entity = entities[index] as Entity;
  const hasChildren = tree.firstChild(entity) !== null;
  const name = tree.nameOf(entity);
  const components = componentsOf(app, entity);
  const instance = document.instanceOf(entity);
  const mark = rowMark(app.view.settings.marks, components);
  const prefab = instance === undefined ? undefined : instance.root === entity ? "root" : "member";
  const others = app.sharing?.selectedBy.get(entity) ?? [];
  return {
    entity,
    index,
    depth: depths[index] as number,
    position: positions[index] as number,
    // Left out in a live world: all rows would be re-rendered whenever an entity is added or removed.
    siblings: app.isLive ? -1 : tree.childCount(tree.parentOf(entity)),
    label: document.label(entity),
    hint: name === undefined ? components.slice(0, 3).join(", ") : "",
    kind: prefab === "root" ? "prefab" : (mark?.icon ?? (components.length > 0 ? "entity" : "folder")),
    hasChildren,
    isOpen: hasChildren && (app.view.searchText !== "" || app.view.isExpanded(entity)),
    isUnnamed: name === undefined,
    isSelected: selection.has(entity),
    isPrimary: selection.primary === entity,
    isHidden: isOwnHidden(document, entity),
    isEffectiveHidden: !document.visible.of(entity),
    isLocked: document.isOwnLocked(entity),
    isEffectiveLocked: document.locked.of(entity),
    isChanged: app.live.watch?.wasChanged(entity) === true || app.edits.isMarked(entity),
    prefab,
    prefabName: instance?.prefab ?? "",
    // Left out in a live world: it would cost its game time in every frame.
    warning: app.isLive ? "" : warningsOf(app, entity).join(" "),
    color: mark?.color ?? "",
    others: others.map(({ name }) => name).join(", "),
    otherColors: others
      .slice(0, MOST_OTHERS)
      .map(({ color }) => color)
      .join("\n"),
  };
}

/** At most this many people who have an entity selected on other pages get a dot on its row. */
const MOST_OTHERS = 3;

export const HierarchyRow = memo(function HierarchyRow(props: RowProps): ReactNode {
  const { app, handlers, entity, index, depth, label, hasChildren, isOpen, prefab } = props;
  const { isFocused, isRenaming, isMatch, isContext, isHidden, isLocked } = props;
  const { document } = app;
  const { tree, selection } = document;
  // Toggles in their default state exist only under the pointer: in all rows they were a third of the cost of changing a list.
  const [isNear, setNear] = useState(false);
  const toggled = (): readonly Entity[] =>
    selection.has(entity) ? [entity, ...selection.entities] : [entity];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree around it handles the keys of all rows
    <div
      id={rowId(entity)}
      className="esp-row"
      role="treeitem"
      aria-level={depth + 1}
      aria-selected={props.isSelected}
      aria-setsize={props.siblings}
      aria-posinset={props.position}
      aria-label={spokenLabel(props)}
      tabIndex={-1}
      {...(hasChildren ? { "aria-expanded": isOpen } : {})}
      data-entity={entity}
      data-name={label}
      data-focus={isFocused}
      data-primary={props.isPrimary}
      data-unnamed={props.isUnnamed}
      data-dim={props.isEffectiveHidden}
      data-context={isContext}
      data-prefab={prefab}
      data-changed={props.isChanged}
      style={{ top: index * ROW_HEIGHT, "--depth": depth } as React.CSSProperties}
      onPointerDown={(event) => handlers.pointerDown(event, entity)}
      onClick={(event) => handlers.click(event, entity)}
      onDoubleClick={() => handlers.rename(entity, true)}
      onContextMenu={(event) => handlers.menu(event, entity)}
      onPointerEnter={() => setNear(true)}
      onPointerLeave={() => setNear(false)}
    >
      <span
        className="esp-twist"
        data-open={isOpen}
        onPointerDown={(event) => event.stopPropagation()}
        onClick={(event) => {
          event.stopPropagation();
          if (hasChildren && document.world.isAlive(entity))
            app.view.setExpanded(
              event.altKey ? tree.descendants(entity, { includeSelf: true }) : [entity],
              !isOpen,
            );
        }}
        onDoubleClick={(event) => event.stopPropagation()}
        aria-hidden="true"
      >
        {hasChildren ? (isOpen ? icons.twistOpen : icons.twist) : null}
      </span>
      <span className="esp-kind" style={props.color === "" ? undefined : { color: props.color }}>
        {icons[props.kind]}
      </span>
      {isRenaming ? (
        <RenameInput key={entity} app={app} entity={entity} onDone={() => handlers.rename(entity, false)} />
      ) : (
        <span className="name" onPointerEnter={titleWhenCut}>
          {isMatch ? <span className="match">{label}</span> : label}
          {props.hint === "" ? null : <small> {props.hint}</small>}
        </span>
      )}
      {props.others === "" ? null : (
        <span
          className="esp-others"
          title={app.t("share.selectedBy", { names: props.others })}
          aria-hidden="true"
        >
          {props.otherColors.split("\n").map((color, k) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two may have one colour, and dots have no state
            <i key={k} style={{ background: color }} />
          ))}
        </span>
      )}
      {props.warning === "" ? null : (
        <span className="esp-warning" title={props.warning} aria-hidden="true">
          {icons.warning}
        </span>
      )}
      {isNear || isLocked || props.isEffectiveLocked ? (
        <RowToggle
          label={app.t(isLocked ? "hierarchy.unlock" : "hierarchy.lock")}
          title={
            props.isEffectiveLocked && !isLocked
              ? app.t("hierarchy.lockedByParent")
              : app.t("hierarchy.lockTitle", {
                  action: app.t(isLocked ? "hierarchy.unlock" : "hierarchy.lock"),
                })
          }
          own={isLocked}
          effective={props.isEffectiveLocked}
          icon={props.isEffectiveLocked ? icons.lock : icons.unlock}
          onClick={() => app.notes.attempt(() => toggleLock(document, toggled()))}
        />
      ) : null}
      {isNear || isHidden || props.isEffectiveHidden ? (
        <RowToggle
          label={app.t(isHidden ? "hierarchy.show" : "hierarchy.hide")}
          title={props.isEffectiveHidden && !isHidden ? app.t("hierarchy.hiddenByParent") : undefined}
          own={isHidden}
          effective={props.isEffectiveHidden}
          icon={props.isEffectiveHidden ? icons.eyeOff : icons.eye}
          onClick={() => app.notes.attempt(() => toggleVisibility(document, toggled()))}
        />
      ) : null}
    </div>
  );
});

/** The name, and what the icons beside it show, for screen readers. */
function spokenLabel(props: RowProps): string {
  const { app, label, prefab, prefabName, isHidden, isLocked, warning } = props;
  const parts = [label];
  if (prefab === "root") parts.push(app.t("inspector.prefab", { name: prefabName }));
  if (props.isEffectiveHidden)
    parts.push(app.t(isHidden ? "hierarchy.isHidden" : "hierarchy.hiddenByParent"));
  if (props.isEffectiveLocked)
    parts.push(app.t(isLocked ? "hierarchy.isLocked" : "hierarchy.lockedByParent"));
  if (props.others !== "") parts.push(app.t("share.selectedBy", { names: props.others }));
  if (warning !== "") parts.push(app.t("warning.spoken", { reason: warning }));
  return parts.join(", ");
}

/** Shows a truncated name in full under the pointer. Not set on every name: each would be written with every scroll. */
function titleWhenCut({ currentTarget }: React.PointerEvent<HTMLElement>): void {
  const panel = currentTarget.closest(".esp-tree")?.getBoundingClientRect();
  const name = currentTarget.getBoundingClientRect();
  const isCut =
    currentTarget.scrollWidth > currentTarget.clientWidth ||
    (panel !== undefined && (name.right > panel.right || name.left < panel.left));
  currentTarget.title = isCut ? (currentTarget.textContent ?? "") : "";
}

interface ToggleProps {
  readonly label: string;
  readonly title: string | undefined;
  readonly own: boolean;
  readonly effective: boolean;
  readonly icon: ReactNode;
  readonly onClick: () => void;
}

function RowToggle(props: ToggleProps): ReactNode {
  const { label, title, own, effective, icon, onClick } = props;
  return (
    // Not a button: elements inside a row of a tree cannot be focused; H and L do the same.
    <span
      className="esp-toggle"
      data-own={own}
      data-effective={effective}
      data-label={label}
      title={title ?? label}
      aria-hidden="true"
      onPointerDown={(event) => event.stopPropagation()}
      onDoubleClick={(event) => event.stopPropagation()}
      onClick={(event) => {
        event.stopPropagation();
        onClick();
      }}
    >
      {icon}
    </span>
  );
}

function componentsOf({ document }: App, entity: Entity): string[] {
  const { components, world } = document;
  const names: string[] = [];
  for (const component of components) if (world.has(entity, component)) names.push(component.name);
  return names;
}

function RenameInput({ app, entity, onDone }: { app: App; entity: Entity; onDone: () => void }): ReactNode {
  const [text, setText] = useState(app.document.tree.nameOf(entity) ?? "");
  const isOver = useRef(false);
  const finish = (keep: boolean) => {
    if (isOver.current) return;
    isOver.current = true;
    if (keep) app.notes.attempt(() => renameEntity(app.document, entity, text));
    onDone();
  };
  return (
    <input
      className="rename"
      aria-label={app.t("hierarchy.rename")}
      value={text}
      ref={(input) => {
        if (input !== null && globalThis.document.activeElement !== input) {
          input.focus();
          input.select();
        }
      }}
      onChange={(event) => setText(event.target.value)}
      onPointerDown={(event) => event.stopPropagation()}
      onClick={(event) => event.stopPropagation()}
      onDoubleClick={(event) => event.stopPropagation()}
      onBlur={() => finish(true)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "Enter") finish(true);
        else if (event.key === "Escape") finish(false);
      }}
    />
  );
}
