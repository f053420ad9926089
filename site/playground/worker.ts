/** Runs programs that need no page. The page ends this worker when one takes too long. */
import type { Order } from "./messages.ts";
import { runProgram } from "./run-program.ts";

self.onmessage = ({ data }: MessageEvent<Order>) => runProgram(data, (message) => self.postMessage(message));
