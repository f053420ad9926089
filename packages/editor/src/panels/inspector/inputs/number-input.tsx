/** A number that can be typed, dragged by its label, or stepped with the arrow keys. */
import { type ReactNode, useEffect, useRef, useState } from "react";
import { parseNumber, shownNumber } from "../../../document/values/parse-number.ts";
import { isSettled, isUndo } from "../../../shell/actions/undo-keys.ts";
import { useApp } from "../../../shell/use-app.ts";

/** A number over a selection: that of the entity selected last, and whether all have it. */
export interface ShownNumber {
  readonly value: number;
  readonly isMixed: boolean;
}

export interface NumberProps {
  readonly label: string;
  readonly value: number;
  readonly isMixed?: boolean;
  /** What it is now, in a world that runs by itself; nothing when it is gone. */
  readonly read?: () => ShownNumber | undefined;
  /** What one pixel of dragging is. */
  readonly step?: number;
  readonly unit?: string;
  readonly error?: string | undefined;
  /** `key`: changes of one gesture have the same. */
  readonly onChange: (value: number, key: string | undefined) => void;
  readonly onEnd: () => void;
}

export function NumberInput(props: NumberProps): ReactNode {
  const { label, step = 1, unit, error, onChange, onEnd } = props;
  const { value, isMixed } = shownNow(props);
  const app = useApp();
  const [draft, setDraft] = useState<string | undefined>();
  const isCommitted = useRef(false);
  const input = useLiveNumber(props);
  const settledText = isMixed ? "" : shownNumber(value);
  // In a world that runs, an input with the focus stands still, also before something was typed.
  const runs = app.isLive || app.documents.play !== undefined;
  const isTyping = draft !== undefined && (runs || !isCommitted.current);
  const commit = (text: string) => {
    if (isCommitted.current) return;
    isCommitted.current = true;
    setDraft(undefined);
    const next = parseNumber(text);
    const now = shownNow(props);
    if (next !== undefined && (next !== now.value || now.isMixed)) {
      onChange(next, undefined);
      onEnd();
    }
  };
  return (
    <>
      <input
        ref={input}
        className="esp-input"
        inputMode="decimal"
        data-settled={!isTyping || draft === settledText}
        aria-label={label}
        {...(error === undefined ? {} : { "aria-invalid": true })}
        placeholder={isMixed ? app.t("inspector.mixed") : undefined}
        value={isTyping ? draft : settledText}
        onFocus={(event) => {
          isCommitted.current = true;
          // What is selected must stay, although the world goes on.
          setDraft(event.target.value);
          event.target.select();
        }}
        onChange={(event) => {
          isCommitted.current = false;
          setDraft(event.target.value);
        }}
        onBlur={(event) => {
          commit(event.target.value);
          setDraft(undefined);
        }}
        onKeyDown={(event) => {
          // Undo of the document is about to change the number; without this the field would go on to show the old one.
          if (isUndo(app, event.nativeEvent) && isSettled(event.currentTarget)) setDraft(undefined);
          else if (event.key === "Enter") {
            commit(event.currentTarget.value);
            event.currentTarget.select();
          } else if (event.key === "Escape") {
            isCommitted.current = true;
            setDraft(undefined);
            event.currentTarget.blur();
          } else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
            event.preventDefault();
            const by =
              (event.key === "ArrowUp" ? 1 : -1) * step * (event.shiftKey ? 10 : event.altKey ? 0.1 : 1);
            isCommitted.current = true;
            setDraft(undefined);
            onChange(tidy(shownNow(props).value + by), `keys ${label}`);
          }
        }}
        onKeyUp={(event) => {
          if (event.key === "ArrowUp" || event.key === "ArrowDown") onEnd();
        }}
      />
      {unit === undefined ? null : <span className="esp-unit">{unit}</span>}
    </>
  );
}

/** Where the world runs by itself, React may have drawn the input long ago. */
function shownNow({ value, isMixed = false, read }: NumberProps): ShownNumber {
  return read?.() ?? { value, isMixed };
}

/**
 * Writes the number into its input whenever values of a live world are brought up to date. Around React, which took ten times as
 * long for the same. An input with the focus stands still: somebody is about to type there.
 */
function useLiveNumber(props: NumberProps): React.RefObject<HTMLInputElement | null> {
  const app = useApp();
  const input = useRef<HTMLInputElement>(null);
  const read = useRef(props.read);
  useEffect(() => {
    read.current = props.read;
  });
  useEffect(
    () =>
      app.live.subscribeTo.values(() => {
        const element = input.current;
        const now = read.current?.();
        if (now === undefined || element === null || element === document.activeElement) return;
        const text = now.isMixed ? "" : shownNumber(now.value);
        if (element.value !== text) element.value = text;
      }),
    [app],
  );
  return input;
}

let gestures = 0;

/** Handlers for a label that is dragged to change a number. */
export function useScrub(props: NumberProps): {
  readonly onPointerDown: (event: React.PointerEvent) => void;
} {
  const { step = 1, onChange, onEnd } = props;
  const latest = useRef({ onChange, onEnd });
  useEffect(() => {
    latest.current = { onChange, onEnd };
  });
  return {
    onPointerDown: (event) => {
      if (event.button !== 0) return;
      event.preventDefault();
      const key = `scrub ${++gestures}`;
      const start = shownNow(props).value;
      const from = event.clientX;
      const move = (moved: PointerEvent) => {
        const scale = moved.shiftKey ? 10 : moved.altKey ? 0.1 : 1;
        latest.current.onChange(tidy(start + Math.round(moved.clientX - from) * step * scale), key);
      };
      const up = () => {
        removeEventListener("pointermove", move);
        removeEventListener("pointerup", up);
        latest.current.onEnd();
      };
      addEventListener("pointermove", move);
      addEventListener("pointerup", up);
    },
  };
}

/** 0.1 + 0.2 is 0.3 for people. */
function tidy(value: number): number {
  return Number(value.toPrecision(12));
}
