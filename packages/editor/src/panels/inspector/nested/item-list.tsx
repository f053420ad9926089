/** The items of a list: each with a grip to move it with the mouse or the arrow keys, and a button to remove it. */
import { type ReactNode, useRef, useState } from "react";
import { Button } from "../../../shell/button.tsx";
import { icons } from "../../../shell/icons.tsx";
import { useApp } from "../../../shell/use-app.ts";
import { NestedFold } from "./nested-fold.tsx";
import type { NestedProps } from "./nested-props.ts";
import { useItemDrag } from "./use-item-drag.ts";

/** Longer lists are shown in parts. */
const MOST_SHOWN = 50;

export interface ItemListProps extends NestedProps {
  readonly summary: string;
  /** How many items each entity has. */
  readonly counts: readonly number[];
  readonly least: number;
  readonly most: number;
  /** How many values of the list one item takes. */
  readonly size: number;
  /** The values of a new item. */
  readonly added: () => readonly unknown[];
  /** Draws one item. */
  readonly children: (at: number, grip: ReactNode, tools: ReactNode) => ReactNode;
}

export function ItemList({ children, ...props }: ItemListProps): ReactNode {
  const app = useApp();
  const { inside, path, counts, least, most, size, added } = props;
  const count = counts.length === 0 ? 0 : Math.min(...counts);
  const longest = Math.max(0, ...counts);
  const [shown, show] = useState(MOST_SHOWN);
  const [said, say] = useState("");
  const list = useRef<HTMLDivElement>(null);
  const move = (from: number, to: number) => {
    if (to < 0 || to >= count || to === from) return;
    inside.move(path, from * size, to * size, size);
    say(app.t("inspector.movedItem", { at: to + 1, count }));
    // The focus goes along, so that the next key moves the same item.
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(`[data-grip="${to}"]`)?.focus());
  };
  const drag = useItemDrag(list, move);
  const name = (k: number) => inside.nameOf([...path, k]);
  const add = (
    <Button
      label={app.t("inspector.addItem", { name: inside.nameOf(path) })}
      icon={icons.plus}
      disabled={longest >= most}
      onClick={() => inside.insert(path, added())}
    />
  );
  const grip = (k: number) => (
    <button
      type="button"
      className="esp-grip"
      data-grip={k}
      aria-label={app.t("inspector.moveItem", { name: name(k) })}
      title={app.t("inspector.moveItem", { name: name(k) })}
      onPointerDown={(event) => drag.begin(event, k)}
      onKeyDown={(event) => {
        if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
        event.preventDefault();
        move(k, event.key === "ArrowUp" ? k - 1 : k + 1);
      }}
    >
      {icons.grip}
    </button>
  );
  const removal = (k: number) => (
    <Button
      label={app.t("inspector.removeItem", { name: name(k) })}
      icon={icons.minus}
      disabled={count <= least}
      onClick={() => inside.remove(path, k * size, size)}
    />
  );
  return (
    <NestedFold
      {...props}
      tools={
        <>
          {add}
          {props.tools}
        </>
      }
    >
      {() => (
        <>
          <div ref={list} className="esp-items">
            {Array.from({ length: Math.min(count, shown) }, (_, k) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: items have no identity but their index
              <div key={k} className="esp-item" data-drop={drag.dropAt(k)}>
                {children(k, grip(k), removal(k))}
              </div>
            ))}
          </div>
          {count > shown ? (
            <Button
              label={app.t("inspector.showMore", { count: Math.min(200, count - shown) })}
              onClick={() => show(shown + 200)}
            />
          ) : null}
          {longest === count ? null : <small>{app.t("inspector.otherLengths")}</small>}
          <span className="esp-sr" aria-live="polite">
            {said}
          </span>
        </>
      )}
    </NestedFold>
  );
}
