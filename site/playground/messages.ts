/** Messages from the worker to the page while a program runs. Lines count from 1, in the program as it was sent. */
export type Message =
  | {
      readonly type: "print";
      readonly line: number;
      readonly level: "log" | "warn" | "error";
      readonly text: string;
    }
  | { readonly type: "value"; readonly line: number; readonly text: string }
  | {
      readonly type: "error";
      readonly line: number;
      readonly name: string;
      readonly text: string;
      /** Of an error of the library: `room/some-code`. */
      readonly code?: string;
      /** The program announces that this is thrown. */
      readonly expected: boolean;
    }
  | { readonly type: "frame"; readonly frame: Frame }
  /** From a page: it is ready. */
  | { readonly type: "ready" }
  | { readonly type: "done" };

/** All trees after a statement. */
export interface Frame {
  readonly line: number;
  readonly trees: readonly DrawnTree[];
}

export interface DrawnTree {
  readonly title: string;
  /** In the order of a walk from the roots. */
  readonly nodes: readonly DrawnNode[];
  /** Entities that were left out, because there are too many to draw. */
  readonly hidden: number;
}

export interface DrawnNode {
  /** The handle as text; the same for the same entity. */
  readonly key: string;
  readonly label: string;
  readonly depth: number;
  readonly components: readonly { readonly name: string; readonly values: string }[];
}

/** Messages from the page. */
export interface Order {
  readonly code: string;
}
