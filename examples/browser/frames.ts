/**
 * What the examples share: frames, and a way to look at one moment. `?time=3` shows the third second and stops there, which
 * is what the tests do.
 */
declare global {
  interface Window {
    /** Set when the first frame was drawn. */
    ready?: boolean;
  }
}

/** Calls `frame` with the seconds since the start, once a frame; or once with `?time=`. */
export function runFrames(frame: (time: number) => void): void {
  const fixed = new URLSearchParams(location.search).get("time");
  if (fixed !== null) {
    frame(Number(fixed));
    window.ready = true;
    return;
  }
  const start = performance.now();
  const next = (now: number) => {
    frame(Math.max(0, now - start) / 1000);
    window.ready = true;
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
}
