/**
 * Short messages to the user.
 */

/** Something the user may do about a message. */
export interface MessageAction {
  readonly label: string;
  readonly run: () => void;
}

/** A short message to the user. */
export interface Message {
  readonly id: number;
  readonly kind: "info" | "error";
  readonly text: string;
  readonly actions: readonly MessageAction[];
}

/** At most so many are shown at once. */
const MOST = 5;

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
    const message: Message = { id: this.next++, kind, text, actions };
    const others = this.messages.filter((one) => one.text !== text);
    this.messages = [...others.slice(1 - MOST), message];
    this.changed();
    return message.id;
  }

  /** Shows what was thrown. */
  fail(error: unknown): void {
    this.say(error instanceof Error ? error.message : String(error), "error");
  }

  /** Nothing happens when it is gone. */
  dismiss(id: number): void {
    this.messages = this.messages.filter((message) => message.id !== id);
    this.changed();
  }

  /** Takes all of them away. */
  clear(): void {
    this.messages = [];
    this.changed();
  }

  /** Runs something and shows why it is refused. */
  attempt<Result>(run: () => Result): Result | undefined {
    try {
      return run();
    } catch (error) {
      this.fail(error);
      return undefined;
    }
  }
}
