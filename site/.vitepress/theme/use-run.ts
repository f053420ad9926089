/** Running a program in a worker or a frame, as state for the page: what it printed, its pictures, whether it is still running. */
import { withBase } from "vitepress";
import { onUnmounted, reactive } from "vue";
import { needsPage } from "../../playground/imports.mjs";
import type { Frame, Message, Order } from "../../playground/messages.ts";

/** A program that has not come to its end by then is ended: an endless loop. */
const patience = 5000;
const maxLines = 500;

export type Line = Exclude<Message, { type: "frame" | "done" | "ready" }>;

export interface Run {
  state: "idle" | "running" | "done" | "stopped";
  lines: Line[];
  frames: Frame[];
  /** Lines of the program that stand before what the reader sees. */
  offset: number;
  /** The number of the frame to show, for a program that needs a page; 0 for others. */
  screen: number;
}

export function useRun() {
  const run = reactive<Run>({ state: "idle", lines: [], frames: [], offset: 0, screen: 0 });
  let screens = 0;
  let order: Order = { code: "" };
  let worker: Worker | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function end(): void {
    worker?.terminate();
    worker = undefined;
    run.screen = 0;
    clearTimeout(timer);
  }

  function stop(text: string): void {
    end();
    run.state = "stopped";
    run.lines.push({ type: "error", line: 0, name: "Stopped", text, expected: false });
  }

  /** Runs `prelude` and `code` as one program. Lines are reported as lines of `code`. */
  function start(prelude: string, code: string): void {
    end();
    run.offset = prelude === "" ? 0 : prelude.split("\n").length;
    Object.assign(run, { state: "running", lines: [], frames: [] });
    order = { code: prelude === "" ? code : `${prelude}\n${code}` };
    if (needsPage(order.code)) run.screen = ++screens;
    else startWorker();
  }

  function startWorker(): void {
    const current = new Worker(withBase("/playground/worker.js"), { type: "module" });
    worker = current;
    timer = setTimeout(() => stop("It took longer than five seconds, and was ended."), patience);
    current.onmessage = ({ data }: MessageEvent<Message>) => {
      if (current === worker) hear(data);
    };
    current.onerror = (event) => stop(event.message || "The worker could not be started.");
    current.postMessage(order);
  }

  function hear(message: Message): void {
    if (message.type === "done") {
      clearTimeout(timer);
      run.state = "done";
    } else if (message.type === "frame") run.frames.push(message.frame);
    // What the snippets above print was shown there; their errors matter here.
    else if (
      message.type !== "ready" &&
      run.lines.length < maxLines &&
      (message.line > run.offset || isFault(message))
    ) {
      run.lines.push({ ...message, line: message.line - run.offset });
    }
  }

  /** Messages from the frame of a program. It receives the program when it is ready. */
  function hearFrame(message: Message, frame: Window): void {
    if (message.type === "ready") frame.postMessage(order, location.origin);
    else hear(message);
  }

  onUnmounted(end);
  return { run, start, end, hearFrame };
}

function isFault(line: Line): boolean {
  return line.type === "error" && !line.expected;
}
