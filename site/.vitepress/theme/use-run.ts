/** Running a program in a worker, as state for the page: what it printed, its pictures, whether it is still at work. */
import { withBase } from "vitepress";
import { onUnmounted, reactive } from "vue";
import type { Frame, Message, Order } from "../../playground/messages.ts";

/** A program that has not come to its end by then is ended: an endless loop. */
const patience = 5000;
const maxLines = 500;

export type Line = Exclude<Message, { type: "frame" | "done" }>;

export interface Run {
  state: "idle" | "running" | "done" | "stopped";
  lines: Line[];
  frames: Frame[];
  /** Lines of the program that stand before what the reader sees. */
  offset: number;
}

export function useRun() {
  const run = reactive<Run>({ state: "idle", lines: [], frames: [], offset: 0 });
  let worker: Worker | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function end(): void {
    worker?.terminate();
    worker = undefined;
    clearTimeout(timer);
  }

  function stop(text: string): void {
    end();
    run.state = "stopped";
    run.lines.push({ type: "error", line: 0, name: "Stopped", text, expected: false });
  }

  /** Runs `prelude` and `code` as one program. Lines are told as lines of `code`. */
  function start(prelude: string, code: string): void {
    end();
    run.offset = prelude === "" ? 0 : prelude.split("\n").length;
    Object.assign(run, { state: "running", lines: [], frames: [] });
    const current = new Worker(withBase("/playground/worker.js"), { type: "module" });
    worker = current;
    timer = setTimeout(() => stop("It took longer than five seconds, and was ended."), patience);
    current.onmessage = ({ data }: MessageEvent<Message>) => {
      if (current !== worker) return;
      if (data.type === "done") {
        clearTimeout(timer);
        run.state = "done";
      } else if (data.type === "frame") run.frames.push(data.frame);
      // What the snippets above print was shown there; their errors matter here.
      else if (run.lines.length < maxLines && (data.line > run.offset || isFault(data))) {
        run.lines.push({ ...data, line: data.line - run.offset });
      }
    };
    current.onerror = (event) => stop(event.message || "The worker could not be started.");
    const order: Order = { code: prelude === "" ? code : `${prelude}\n${code}` };
    current.postMessage(order);
  }

  onUnmounted(end);
  return { run, start, end };
}

function isFault(line: Line): boolean {
  return line.type === "error" && !line.expected;
}
