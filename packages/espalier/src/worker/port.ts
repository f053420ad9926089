/**
 * One interface for workers and message ports of browsers and of Node.
 */
import { describeValue } from "../ecs/index.ts";
import { InvalidWorkerError, WorkerFailedError } from "./errors.ts";

/** A `Worker`, a `MessagePort`, the global scope of a worker, or a worker of Node. */
export interface PortLike {
  /** Sends a message; buffers in `transfer` belong to the receiver from then on. */
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
}

/** The interface of both kinds of listeners. */
interface Listens {
  addEventListener?(name: string, listener: (event: never) => void): void;
  removeEventListener?(name: string, listener: (event: never) => void): void;
  on?(name: string, listener: (value: never) => void): void;
  off?(name: string, listener: (value: never) => void): void;
  start?(): void;
}

/** The events of a port. */
export interface PortListener {
  message(data: unknown): void;
  failed(error: WorkerFailedError): void;
}

/**
 * Listens until the function it returns is called.
 * @param doing - Completes "Cannot …" in the message.
 * @throws InvalidWorkerError for a value that is not a port.
 */
export function listenTo(port: PortLike, doing: string, { message, failed }: PortListener): () => void {
  const target = requirePort(port, doing);
  const stops: (() => void)[] = [];
  const isEventTarget = typeof target.addEventListener === "function";
  const listen = <Value>(name: string, listener: (value: Value) => void) => {
    if (isEventTarget) {
      target.addEventListener?.(name, listener as (event: never) => void);
      stops.push(() => target.removeEventListener?.(name, listener as (event: never) => void));
    } else {
      target.on?.(name, listener as (value: never) => void);
      stops.push(() => target.off?.(name, listener as (value: never) => void));
    }
  };
  listen<unknown>("message", (value) => message(isEventTarget ? (value as MessageEvent).data : value));
  listen<unknown>("messageerror", () =>
    failed(
      new WorkerFailedError("A message between page and worker could not be read.", { reason: "unreadable" }),
    ),
  );
  // The global scope of a worker has these events too, about itself: its own errors reach the page in other ways.
  if (port !== globalThis) {
    listen<unknown>("error", (value) => failed(threw(isEventTarget ? (value as ErrorEvent) : value)));
    if (!isEventTarget) listen<number>("exit", (code) => failed(ended(`it ended with the code ${code}`)));
    listen("close", () => failed(ended("its port was closed")));
  }
  target.start?.();
  return () => {
    for (const stop of stops.splice(0)) stop();
  };
}

/** The port of a worker to its page. */
export function ownPort(): PortLike | undefined {
  const scope = globalThis as unknown as Partial<PortLike> & {
    document?: unknown;
    WorkerGlobalScope?: unknown;
  };
  const isWorker = scope.WorkerGlobalScope !== undefined && scope.document === undefined;
  return isWorker && typeof scope.postMessage === "function" ? (scope as PortLike) : undefined;
}

function requirePort(port: unknown, doing: string): Listens {
  const { postMessage, addEventListener, on } = Object(port) as Partial<PortLike> & Listens;
  const listens = typeof addEventListener === "function" || typeof on === "function";
  if (typeof postMessage === "function" && listens) return port as Listens;
  throw new InvalidWorkerError(
    `Cannot ${doing}: port is a Worker or a MessagePort, got ${describeValue(port)}. In a worker of Node pass parentPort.`,
    { option: "port", value: port },
  );
}

function ended(why: string): WorkerFailedError {
  return new WorkerFailedError(`The worker is gone: ${why}. Create a new worker, and a mirror of it.`, {
    reason: "ended",
  });
}

/** @param value - An `ErrorEvent` of a browser, which has file, line and message, or the error itself. */
function threw(value: unknown): WorkerFailedError {
  const { message, filename, lineno, error } = Object(value) as Partial<ErrorEvent>;
  const where = filename === undefined || filename === "" ? "" : ` at ${filename}:${lineno}`;
  const what = message ?? "it could not be loaded";
  return new WorkerFailedError(`The worker failed${where}: ${what}`, {
    reason: "threw",
    cause: error ?? value,
  });
}
