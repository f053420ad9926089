/** A button with a label for everybody: as a text, as a tooltip and for screen readers. */
import type { ReactNode } from "react";
import { actions, shortcutFor, titleOf, whyDisabled } from "./actions/actions.ts";
import type { Action, ActionId } from "./actions/actions-type.ts";
import { shownShortcut } from "./actions/shortcuts.ts";
import { useAppItself, useAppValue } from "./use-app.ts";

export interface ButtonProps {
  readonly label: string;
  readonly icon?: ReactNode;
  readonly onClick: () => void;
  readonly pressed?: boolean;
  /** Of a button that opens something: whether it is open. */
  readonly expanded?: boolean;
  readonly disabled?: boolean;
  readonly className?: string;
  readonly showLabel?: boolean;
  readonly title?: string;
}

export function Button(props: ButtonProps): ReactNode {
  const {
    label,
    icon,
    onClick,
    pressed,
    expanded,
    disabled,
    className = "",
    showLabel = icon === undefined,
    title,
  } = props;
  return (
    <button
      type="button"
      className={`esp-button ${showLabel ? "" : "icon"} ${className}`}
      aria-label={label}
      title={title ?? label}
      onClick={onClick}
      disabled={disabled}
      {...(pressed === undefined ? {} : { "aria-pressed": pressed })}
      {...(expanded === undefined ? {} : { "aria-expanded": expanded })}
    >
      {icon}
      {showLabel ? <span>{label}</span> : null}
    </button>
  );
}

/** The button of an action, with its shortcut. */
export function ActionButton({ id, ...rest }: { readonly id: ActionId } & Partial<ButtonProps>): ReactNode {
  const app = useAppItself();
  const action = actions.find((one) => one.id === id) as Action;
  const shortcut = useAppValue((now) => shortcutFor(now, action));
  const disabled = useAppValue((now) => whyDisabled(now, action));
  const label = rest.label ?? titleOf(app, action);
  const named = shortcut === undefined ? label : `${label} (${shownShortcut(shortcut)})`;
  return (
    <Button
      {...rest}
      label={label}
      title={disabled === undefined || disabled === "" ? (rest.title ?? named) : `${named}: ${disabled}`}
      disabled={rest.disabled ?? disabled !== undefined}
      onClick={() => action.run(app)}
    />
  );
}
