/** Runs programs that need a page: this one, with a canvas in it. The page around it throws it away for the next program. */
import type { Message, Order } from "./messages.ts";
import { runProgram } from "./run-program.ts";

const tell = (message: Message) => parent.postMessage(message, location.origin);

addEventListener("message", ({ data, source, origin }: MessageEvent<Order>) => {
  if (source !== parent || origin !== location.origin) return;
  // An empty canvas would only push away what the program puts into the page itself.
  if (!/["'`]canvas/.test(data.code)) document.querySelector("canvas")?.remove();
  void runProgram(data, tell);
});
addEventListener("error", ({ message }) =>
  tell({ type: "error", line: 0, name: "Error", text: message, expected: false }),
);
tell({ type: "ready" });
