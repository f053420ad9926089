/**
 * A 2D context that draws nothing and records every call: canvas drawing in Node.
 */
import type { Context2D } from "./context.ts";

/** One call or assignment: its name and its arguments. */
export type ContextCall = readonly [name: string, ...args: unknown[]];

/** A drawing context that records calls, for tests without a canvas. */
export interface RecordingContext extends Context2D {
  /** All calls, in order. `calls.length = 0` clears them. */
  readonly calls: ContextCall[];
}

const methods = [
  "setTransform",
  "transform",
  "clearRect",
  "fillRect",
  "save",
  "restore",
  "beginPath",
  "closePath",
  "moveTo",
  "lineTo",
  "rect",
  "roundRect",
  "arc",
  "ellipse",
  "clip",
  "fill",
  "stroke",
  "fillText",
  "drawImage",
] as const;

const properties = {
  fillStyle: "#000000",
  strokeStyle: "#000000",
  lineWidth: 1,
  lineJoin: "miter",
  lineCap: "butt",
  font: "10px sans-serif",
  textAlign: "start",
  textBaseline: "alphabetic",
  globalAlpha: 1,
  globalCompositeOperation: "source-over",
  imageSmoothingEnabled: true,
} as const;

/**
 * Creates a context that records. Text is as wide as half its size per letter, so that results do not depend on fonts.
 *
 * @example
 * ```ts
 * const context = createRecordingContext();
 * context.fillStyle = "#ff0000";
 * context.fillRect(0, 0, 10, 10);
 * context.calls; // → [["fillStyle", "#ff0000"], ["fillRect", 0, 0, 10, 10]]
 * ```
 */
export function createRecordingContext(): RecordingContext {
  const calls: ContextCall[] = [];
  const record = (name: string, ...args: unknown[]) => void calls.push([name, ...args]);
  const values: { [name: string]: unknown } = { ...properties };
  const saved: { [name: string]: unknown }[] = [];
  const context: { [name: string]: unknown } = { calls };

  for (const name of methods) context[name] = (...args: unknown[]) => record(name, ...args);
  context.save = () => {
    saved.push({ ...values });
    record("save");
  };
  context.restore = () => {
    Object.assign(values, saved.pop());
    record("restore");
  };
  context.measureText = (text: string) => {
    const size = Number.parseFloat(/(\d+(\.\d+)?)px/.exec(String(values.font))?.[1] ?? "10");
    return { width: [...text].length * size * 0.5 };
  };
  for (const name of ["createLinearGradient", "createRadialGradient"]) {
    context[name] = (...args: unknown[]) => {
      record(name, ...args);
      return { addColorStop: (offset: number, color: string) => record("addColorStop", offset, color) };
    };
  }
  for (const name of Object.keys(properties)) {
    Object.defineProperty(context, name, {
      enumerable: true,
      get: () => values[name],
      set(value: unknown) {
        if (values[name] === value) return;
        values[name] = value;
        record(name, value);
      },
    });
  }
  return context as unknown as RecordingContext;
}
