/**
 * Keys and the actions they stand for.
 */

const isMac = typeof navigator !== "undefined" && /Mac|iP(hone|ad)/.test(navigator.platform);

/** A key press in the form of shortcuts: `Mod+Shift+G`. `Mod` is Ctrl, on Macs Cmd. */
export function shortcutOf(event: KeyboardEvent): string {
  const key = bracketOf(event) ?? (event.key.length === 1 ? event.key.toUpperCase() : event.key);
  const mod = isMac ? event.metaKey : event.ctrlKey;
  const parts = [
    mod ? "Mod" : "",
    event.altKey ? "Alt" : "",
    event.shiftKey && /^[A-Z[\]]$|^.{2,}$/.test(key) ? "Shift" : "",
  ];
  return [...parts.filter((part) => part !== ""), key === " " ? "Space" : key].join("+");
}

/** Brackets by the physical key: with Shift they are braces on most keyboards. */
function bracketOf({ code, shiftKey }: KeyboardEvent): string | undefined {
  if (!shiftKey) return undefined;
  return code === "BracketLeft" ? "[" : code === "BracketRight" ? "]" : undefined;
}

/** The shortcut as displayed: `Ctrl+Shift+G` or `⌘⇧G`. */
export function shownShortcut(shortcut: string): string {
  if (isMac) {
    return shortcut.replace("Mod+", "⌘").replace("Alt+", "⌥").replace("Shift+", "⇧").replace(/Arrow/, "");
  }
  const names: { readonly [key: string]: string } = {
    ArrowUp: "↑",
    ArrowDown: "↓",
    ArrowLeft: "←",
    ArrowRight: "→",
    Delete: "Del",
    Escape: "Esc",
  };
  return shortcut
    .split("+")
    .map((part) => (part === "Mod" ? "Ctrl" : (names[part] ?? part)))
    .join("+");
}

/** Whether keys go into a text field, where single letters are text. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (
    target.isContentEditable ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement
  ) {
    return true;
  }
  return (
    target instanceof HTMLInputElement && !["checkbox", "button", "range", "color"].includes(target.type)
  );
}
