/** Moving items of a list by dragging their grips. One drag is one move, at its end. */
import { type PointerEvent as ReactPointerEvent, type RefObject, useState } from "react";

interface Drag {
  readonly from: number;
  /** The index that the item would get. */
  readonly to: number;
}

export function useItemDrag(
  list: RefObject<HTMLElement | null>,
  move: (from: number, to: number) => void,
): {
  readonly begin: (event: ReactPointerEvent, from: number) => void;
  /** Where the line of an item is drawn while something is dragged. */
  readonly dropAt: (k: number) => "before" | "after" | undefined;
} {
  const [drag, setDrag] = useState<Drag | undefined>();
  return {
    begin(event, from) {
      if (event.button !== 0) return;
      let to = from;
      const follow = ({ clientY }: PointerEvent) => {
        const items = [...(list.current?.children ?? [])];
        // The number of items whose middle is above the pointer, not counting the dragged one.
        to = items.filter((item, k) => k !== from && middleOf(item) < clientY).length;
        setDrag({ from, to });
      };
      const end = () => {
        for (const [type, listener] of listeners) removeEventListener(type, listener as EventListener);
        setDrag(undefined);
      };
      const drop = () => {
        end();
        move(from, to);
      };
      const key = (pressed: KeyboardEvent) => {
        if (pressed.key === "Escape") end();
      };
      const listeners = [
        ["pointermove", follow],
        ["pointerup", drop],
        ["pointercancel", end],
        ["keydown", key],
      ] as const;
      for (const [type, listener] of listeners) addEventListener(type, listener as EventListener);
    },
    dropAt(k) {
      if (drag === undefined || drag.to === drag.from || k !== drag.to) return undefined;
      return drag.to > drag.from ? "after" : "before";
    },
  };
}

function middleOf(item: Element): number {
  const { top, height } = item.getBoundingClientRect();
  return top + height / 2;
}
