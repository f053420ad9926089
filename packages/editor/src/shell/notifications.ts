/**
 * Short messages to the user.
 */

import { plainMessage } from "../document/plain-message.ts";

/** An action offered with a message. */
export interface MessageAction {
  readonly label: string;
  readonly run: () => void;
}

/** A short message to the user. */
export interface Message {
  readonly id: number;
  readonly kind: "info" | "error";
  readonly text: string;
  /** The full message for programmers, with handles and codes. */
  readonly details?: string;
  readonly actions: readonly MessageAction[];
}

/** At most this many are shown at once. */
const MOST = 3;

/** The messages that are shown. */
export class Notifications {
  messages: readonly Message[] = [];
  private readonly changed: () => void;
  private next = 1;

  constructor(changed: () => void) {
    this.changed = changed;
  }

  /** Shows a message. One with the same text is replaced. @returns its id, for `dismiss`. */
  say(text: string, kind: Message["kind"] = "info", ...actions: readonly MessageAction[]): number {
    return this.show({ id: this.next++, kind, text, actions });
  }

  /** Shows an error. */
  fail(error: unknown): void {
    const whole = error instanceof Error ? error.message : String(error);
    const text = plainMessage(whole);
    const details = text === whole ? {} : { details: whole };
    this.show({ id: this.next++, kind: "error", text, ...details, actions: [] });
  }

  /** Messages that offer actions stay when there are too many. */
  private show(message: Message): number {
    const others = this.messages.filter((one) => one.text !== message.text);
    const spare = others.filter(({ actions }) => actions.length === 0);
    const gone = new Set(spare.slice(0, Math.max(0, others.length + 1 - MOST)));
    this.messages = [...others.filter((one) => !gone.has(one)), message];
    this.changed();
    return message.id;
  }

  /** Nothing happens when it is no longer shown. */
  dismiss(id: number): void {
    this.messages = this.messages.filter((message) => message.id !== id);
    this.changed();
  }

  /** Removes all messages. */
  clear(): void {
    this.messages = [];
    this.changed();
  }

  /** Runs something, and shows the error if it fails. */
  attempt<Result>(run: () => Result): Result | undefined {
    try {
      return run();
    } catch (error) {
      this.fail(error);
      return undefined;
    }
  }
}
