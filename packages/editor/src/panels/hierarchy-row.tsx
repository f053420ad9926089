/** One row of the tree. */
import type { Entity } from "espalier";
import { instanceOf } from "espalier/scene";
import { type ReactNode, useRef, useState } from "react";
import { renameEntity } from "../commands/rename-entity.ts";
import { toggleLock } from "../commands/toggle-lock.ts";
import { isOwnHidden, toggleVisibility } from "../commands/toggle-visibility.ts";
import { valuesOf } from "../document/drawn.ts";
import type { App } from "../shell/app.ts";
import { icons } from "../shell/icons.tsx";
import { ROW_HEIGHT } from "./use-row-drag.ts";

export interface RowProps {
  readonly app: App;
  readonly entity: Entity;
  readonly index: number;
  readonly depth: number;
  readonly isFocused: boolean;
  readonly isRenaming: boolean;
  readonly isMatch: boolean;
  readonly isContext: boolean;
  readonly onPointerDown: (event: React.PointerEvent) => void;
  readonly onClick: (event: React.MouseEvent) => void;
  readonly onRename: (isOn: boolean) => void;
}

export function rowId(entity: Entity): string {
  return `esp-row-${entity}`;
}

export function HierarchyRow(props: RowProps): ReactNode {
  const { app, entity, index, depth, isFocused, isRenaming, isMatch, isContext } = props;
  const { document } = app;
  const { tree, selection } = document;
  const hasChildren = tree.firstChild(entity) !== null;
  const isOpen = hasChildren && (app.searchText !== "" || app.isExpanded(entity));
  const label = document.label(entity);
  const [hidden, effectiveHidden] = [isOwnHidden(document, entity), !document.visible.of(entity)];
  const [locked, effectiveLocked] = [document.isOwnLocked(entity), document.locked.of(entity)];
  const instance = instanceOf(tree, entity);
  const prefab = instance === undefined ? undefined : instance.root === entity ? "root" : "member";
  const toggled = (): readonly Entity[] =>
    selection.has(entity) ? [entity, ...selection.entities] : [entity];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree around it handles the keys of all rows
    <div
      id={rowId(entity)}
      className="esp-row"
      role="treeitem"
      aria-level={depth + 1}
      aria-selected={selection.has(entity)}
      aria-setsize={tree.childCount(tree.parentOf(entity))}
      aria-posinset={tree.indexOf(entity) + 1}
      aria-label={
        prefab === "root" ? `${label}, ${app.t("inspector.prefab", { name: instance?.prefab ?? "" })}` : label
      }
      tabIndex={-1}
      {...(hasChildren ? { "aria-expanded": isOpen } : {})}
      data-entity={entity}
      data-name={label}
      data-focus={isFocused}
      data-primary={selection.primary === entity}
      data-unnamed={tree.nameOf(entity) === undefined}
      data-dim={effectiveHidden}
      data-context={isContext}
      data-prefab={prefab}
      data-changed={app.watch?.wasChanged(entity) ?? false}
      style={{ top: index * ROW_HEIGHT, paddingLeft: 4 + depth * 14 }}
      onPointerDown={props.onPointerDown}
      onClick={props.onClick}
      onDoubleClick={() => props.onRename(true)}
    >
      <span
        className="esp-twist"
        data-open={isOpen}
        onPointerDown={(event) => event.stopPropagation()}
        onClick={(event) => {
          event.stopPropagation();
          if (hasChildren)
            app.setExpanded(
              event.altKey ? tree.descendants(entity, { includeSelf: true }) : [entity],
              !isOpen,
            );
        }}
        onDoubleClick={(event) => event.stopPropagation()}
        aria-hidden="true"
      >
        {hasChildren ? icons.twist : null}
      </span>
      <span className="esp-kind">{kindIcon(app, entity, prefab === "root")}</span>
      {isRenaming ? (
        <RenameInput app={app} entity={entity} onDone={() => props.onRename(false)} />
      ) : (
        <span className={isMatch ? "name match" : "name"}>{label}</span>
      )}
      <RowToggle
        label={app.t(locked ? "hierarchy.unlock" : "hierarchy.lock", { name: label })}
        title={effectiveLocked && !locked ? app.t("hierarchy.lockedByParent") : undefined}
        own={locked}
        effective={effectiveLocked}
        icon={effectiveLocked ? icons.lock : icons.unlock}
        onClick={() => app.attempt(() => toggleLock(document, toggled()))}
      />
      <RowToggle
        label={app.t(hidden ? "hierarchy.show" : "hierarchy.hide", { name: label })}
        title={effectiveHidden && !hidden ? app.t("hierarchy.hiddenByParent") : undefined}
        own={hidden}
        effective={effectiveHidden}
        icon={effectiveHidden ? icons.eyeOff : icons.eye}
        onClick={() => app.attempt(() => toggleVisibility(document, toggled()))}
      />
    </div>
  );
}

interface ToggleProps {
  readonly label: string;
  readonly title: string | undefined;
  readonly own: boolean;
  readonly effective: boolean;
  readonly icon: ReactNode;
  readonly onClick: () => void;
}

function RowToggle({ label, title, own, effective, icon, onClick }: ToggleProps): ReactNode {
  return (
    // Not a button: a row of a tree has no elements of its own that take part in the keyboard; H and L do the same.
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

function kindIcon(app: App, entity: Entity, isInstance: boolean): ReactNode {
  const { document } = app;
  if (isInstance) return icons.prefab;
  if (valuesOf(document, entity, "Text") !== undefined) return icons.text;
  if (valuesOf(document, entity, "Sprite") !== undefined) return icons.image;
  if (valuesOf(document, entity, "Shape") !== undefined) return icons.shape;
  return document.world.has(entity, document.space.component) ? icons.entity : icons.folder;
}

function RenameInput({ app, entity, onDone }: { app: App; entity: Entity; onDone: () => void }): ReactNode {
  const [text, setText] = useState(app.document.tree.nameOf(entity) ?? "");
  const isOver = useRef(false);
  const finish = (keep: boolean) => {
    if (isOver.current) return;
    isOver.current = true;
    if (keep) app.attempt(() => renameEntity(app.document, entity, text));
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
