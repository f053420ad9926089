/** The context menu: lists of items, some of which open further lists. Used by pointer or keyboard. */
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useAppItself, useAppValue } from "../use-app.ts";
import type { MenuGroups, MenuItem, OpenMenu } from "./menu-item.ts";

export function ContextMenu(): ReactNode {
  const menu = useAppValue(({ view }) => view.menu);
  return menu === undefined ? null : <Menu key={`${menu.x} ${menu.y}`} menu={menu} />;
}

function Menu({ menu }: { readonly menu: OpenMenu }): ReactNode {
  const app = useAppItself();
  const close = () => app.view.openMenu(undefined);
  // Before the first item takes the focus.
  const [before] = useState(() => document.activeElement as HTMLElement | null);
  useEffect(() => {
    const outside = (event: Event) => {
      if (!(event.target as Element | null)?.closest?.(".esp-context")) app.view.openMenu(undefined);
    };
    addEventListener("pointerdown", outside, true);
    addEventListener("wheel", outside, true);
    addEventListener("blur", outside);
    return () => {
      removeEventListener("pointerdown", outside, true);
      removeEventListener("wheel", outside, true);
      removeEventListener("blur", outside);
      // If an item opened something, that has the focus now.
      if (document.activeElement === document.body) before?.focus?.({ preventScroll: true });
    };
  }, [app, before]);
  return (
    <MenuList
      label={menu.label}
      groups={menu.groups}
      point={{ left: menu.x, top: menu.y }}
      onDone={close}
      onBack={close}
    />
  );
}

interface ListProps {
  readonly label: string;
  readonly groups: MenuGroups;
  readonly point: { readonly left: number; readonly top: number };
  /** Called when an item was chosen, or to close all lists. */
  readonly onDone: () => void;
  /** Called to close this list. */
  readonly onBack: () => void;
}

function MenuList({ label, groups, point, onDone, onBack }: ListProps): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<string | undefined>();
  const [at, setAt] = useState(point);
  const items = (): HTMLElement[] =>
    [...(box.current?.children ?? [])].flatMap((group) => [
      ...group.querySelectorAll<HTMLElement>(":scope > [role=menuitem]"),
    ]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is placed once, when it opens
  useLayoutEffect(() => {
    const rect = box.current?.getBoundingClientRect();
    if (rect === undefined) return;
    setAt({
      left: Math.max(4, Math.min(point.left, innerWidth - rect.width - 4)),
      top: Math.max(4, Math.min(point.top, innerHeight - rect.height - 4)),
    });
    items()[0]?.focus({ preventScroll: true });
  }, []);
  const go = (by: number) => {
    const all = items();
    const now = all.indexOf(document.activeElement as HTMLElement);
    all[(now + by + all.length) % all.length]?.focus();
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    const letter = event.key.length === 1 ? event.key.toLowerCase() : undefined;
    if (event.key === "ArrowDown") go(1);
    else if (event.key === "ArrowUp") go(-1);
    else if (event.key === "Home") items()[0]?.focus();
    else if (event.key === "End") items().at(-1)?.focus();
    else if (event.key === "Escape" || event.key === "ArrowLeft") onBack();
    else if (event.key === "Tab") onDone();
    else if (letter !== undefined && letter !== " ") {
      const all = items();
      const from = all.indexOf(document.activeElement as HTMLElement) + 1;
      const order = [...all.slice(from), ...all.slice(0, from)];
      order.find((item) => item.textContent?.toLowerCase().startsWith(letter))?.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      ref={box}
      className="esp-context"
      role="menu"
      aria-label={label}
      tabIndex={-1}
      style={at}
      onKeyDown={onKeyDown}
      onContextMenu={(event) => event.preventDefault()}
    >
      {groups
        .filter((group) => group.length > 0)
        .map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is not part of a menu
          <div key={group[0]?.label} role="group">
            {group.map((item) => (
              <Item
                key={item.label}
                item={item}
                isOpen={open === item.label}
                onOpen={(isOpen) => setOpen(isOpen ? item.label : undefined)}
                onDone={onDone}
              />
            ))}
          </div>
        ))}
    </div>
  );
}

interface ItemProps {
  readonly item: MenuItem;
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
  readonly onDone: () => void;
}

function Item({ item, isOpen, onOpen, onDone }: ItemProps): ReactNode {
  const button = useRef<HTMLDivElement>(null);
  const { label, shortcut, disabled, items } = item;
  const choose = () => {
    if (disabled !== undefined) return;
    if (items !== undefined) return onOpen(true);
    onDone();
    item.run?.();
  };
  const rect = button.current?.getBoundingClientRect();
  return (
    <>
      <div
        ref={button}
        role="menuitem"
        tabIndex={-1}
        className="esp-context-item"
        {...(disabled === undefined ? {} : { "aria-disabled": true, title: disabled })}
        {...(items === undefined ? {} : { "aria-haspopup": "menu", "aria-expanded": isOpen })}
        onPointerEnter={() => {
          if (!isOpen) button.current?.focus({ preventScroll: true });
          onOpen(items !== undefined && disabled === undefined);
        }}
        onClick={choose}
        onKeyDown={(event) => {
          if (!["Enter", " "].includes(event.key) && !(event.key === "ArrowRight" && items !== undefined))
            return;
          event.preventDefault();
          event.stopPropagation();
          choose();
        }}
      >
        <span className="label">{label}</span>
        {disabled === undefined ? null : <small className="reason">{disabled}</small>}
        {shortcut === undefined ? null : <kbd className="esp-kbd">{shortcut}</kbd>}
        {items === undefined ? null : <span aria-hidden="true">›</span>}
      </div>
      {isOpen && items !== undefined && rect !== undefined ? (
        <MenuList
          label={label}
          groups={[items]}
          point={{ left: rect.right - 2, top: rect.top - 4 }}
          onDone={onDone}
          onBack={() => {
            onOpen(false);
            button.current?.focus();
          }}
        />
      ) : null}
    </>
  );
}
