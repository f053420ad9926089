/**
 * Browsers play no sound before a gesture of the player. The first one resumes the context; so does the first button of a gamepad, if
 * the browser allows it.
 */

export interface Lock {
  isLocked(): boolean;
  onUnlocked(listener: () => void): () => void;
  unlock(): void;
  /** Polls gamepads while it is locked, because they send no events. */
  poll(): void;
  end(): void;
}

const gestures = ["pointerdown", "pointerup", "touchend", "keydown"];

/** @param context `undefined` for one that needs no gesture. */
export function watchUnlock(context: AudioContext | undefined, suspendHidden: boolean): Lock {
  const listeners = new Set<() => void>();
  // Suspended here while the page is hidden, which is not a lock.
  let isHidden = false;
  let wasLocked = context !== undefined && context.state !== "running";

  const unlock = () => {
    // A browser that refuses leaves it suspended; the next gesture tries again.
    if (context !== undefined && !isHidden && context.state !== "running") context.resume().catch(() => {});
  };
  const changed = () => {
    if (!wasLocked || context!.state !== "running") return;
    wasLocked = false;
    unlisten();
    for (const listener of [...listeners]) listener();
  };
  const visibility = () => {
    isHidden = document.visibilityState === "hidden";
    if (wasLocked || context === undefined || context.state === "closed") return;
    if (isHidden) context.suspend().catch(() => {});
    else context.resume().catch(() => {});
  };
  const unlisten = () => {
    for (const gesture of gestures) globalThis.removeEventListener?.(gesture, unlock, true);
  };

  context?.addEventListener("statechange", changed);
  if (wasLocked) for (const gesture of gestures) globalThis.addEventListener?.(gesture, unlock, true);
  const followsPage = suspendHidden && typeof document !== "undefined" && context !== undefined;
  if (followsPage) document.addEventListener("visibilitychange", visibility);

  return {
    isLocked: () => wasLocked,
    onUnlocked(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    unlock,
    poll() {
      if (!wasLocked || typeof navigator === "undefined" || navigator.getGamepads === undefined) return;
      for (const pad of navigator.getGamepads()) if (pad?.buttons.some(({ pressed }) => pressed)) unlock();
    },
    end() {
      unlisten();
      listeners.clear();
      context?.removeEventListener("statechange", changed);
      if (followsPage) document.removeEventListener("visibilitychange", visibility);
    },
  };
}
