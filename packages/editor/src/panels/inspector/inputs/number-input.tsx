/** A number that can be typed, dragged by its label, or stepped with the arrow keys. */
import { type ReactNode, useEffect, useRef, useState } from "react";
import { readNumber, shownNumber } from "../../../document/values/parse-number.ts";
import { isSettled, isUndo } from "../../../shell/actions/undo-keys.ts";
import { useApp } from "../../../shell/use-app.ts";

/** A number across a selection: that of the entity selected last, and whether all have the same. */
export interface ShownNumber {
  readonly value: number;
  readonly isMixed: boolean;
}

export interface NumberProps {
  readonly label: string;
  readonly value: number;
  readonly isMixed?: boolean;
  /** Reads the current value in a live world; `undefined` when it no longer exists. */
  readonly read?: () => ShownNumber | undefined;
  /** The change per pixel of dragging. */
  readonly step?: number;
  readonly unit?: string;
  readonly error?: string | undefined;
  /** `key` is the same for all changes of one gesture. */
  readonly onChange: (value: number, key: string | undefined) => void;
  /** Changes each selected entity relative to its own value, as one step: `+=10`. Without it, all get the value shown. */
  readonly onEach?: (change: (now: number) => number) => void;
  readonly onEnd: () => void;
}

export function NumberInput(props: NumberProps): ReactNode {
  const { label, step = 1, unit, error, onChange, onEnd } = props;
  const { value, isMixed } = shownNow(props);
  const app = useApp();
  const [draft, setDraft] = useState<string | undefined>();
  const [problem, setProblem] = useState<string | undefined>();
  const isCommitted = useRef(false);
  const input = useLiveNumber(props);
  const settledText = isMixed ? "" : shownNumber(value);
  // In a live world, a focused input is not updated, even before something was typed.
  const runs = app.isLive || app.documents.play !== undefined;
  const isTyping = draft !== undefined && (runs || !isCommitted.current);
  const commit = (text: string) => {
    if (isCommitted.current) return;
    const typed = readNumber(text);
    if (typed.kind === "refused") {
      setProblem(app.t(`number.${typed.why}`, { text: text.trim() }));
      return;
    }
    isCommitted.current = true;
    setDraft(undefined);
    setProblem(undefined);
    const now = shownNow(props);
    if (typed.kind === "change" && props.onEach !== undefined) props.onEach(typed.apply);
    else {
      const next =
        typed.kind === "number" ? typed.value : typed.kind === "change" ? typed.apply(now.value) : now.value;
      if (typed.kind === "nothing" || (next === now.value && !now.isMixed)) return;
      onChange(next, undefined);
    }
    onEnd();
  };
  return (
    <>
      <input
        ref={input}
        className="esp-input"
        inputMode="decimal"
        data-settled={!isTyping || draft === settledText}
        aria-label={label}
        {...(error === undefined && problem === undefined ? {} : { "aria-invalid": true })}
        placeholder={isMixed ? app.t("inspector.mixed") : undefined}
        value={isTyping ? draft : settledText}
        onFocus={(event) => {
          if (problem !== undefined) return;
          isCommitted.current = true;
          // The selected text must stay, although the world goes on.
          setDraft(event.target.value);
          event.target.select();
        }}
        onChange={(event) => {
          isCommitted.current = false;
          setDraft(event.target.value);
          setProblem(undefined);
        }}
        onBlur={(event) => {
          commit(event.target.value);
          // Invalid text stays, with the reason, until it is corrected or cancelled.
          if (isCommitted.current) setDraft(undefined);
        }}
        onKeyDown={(event) => {
          // Undo of the document is about to change the number; without this the field would keep showing the old one.
          if (isUndo(app, event.nativeEvent) && isSettled(event.currentTarget)) setDraft(undefined);
          else if (event.key === "Enter") {
            commit(event.currentTarget.value);
            event.currentTarget.select();
          } else if (event.key === "Escape") {
            isCommitted.current = true;
            setDraft(undefined);
            setProblem(undefined);
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
      {problem === undefined ? null : (
        <span className="esp-problem" role="alert">
          {problem}
        </span>
      )}
    </>
  );
}

/** In a live world, React may have rendered the input long ago. */
function shownNow({ value, isMixed = false, read }: NumberProps): ShownNumber {
  return read?.() ?? { value, isMixed };
}

/**
 * Writes the number into its input whenever values of a live world are updated. Without React, which took ten times as
 * long. A focused input is not updated: the user is about to type there.
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

/** Rounds, so that 0.1 + 0.2 is shown as 0.3. */
function tidy(value: number): number {
  return Number(value.toPrecision(12));
}
