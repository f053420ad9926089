/** What was cut out of a document and not yet pasted there: who referred to it, by ids. */
export interface CutOut {
  readonly text: string;
  readonly references: readonly {
    readonly id: string;
    readonly component: string;
    readonly field: string;
    readonly target: string;
  }[];
}
