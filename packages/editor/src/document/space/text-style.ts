/** How a text is written. */
export interface TextStyle {
  /** A font family; empty is that of the renderer. */
  readonly font: string;
  readonly size: number;
  readonly bold: boolean;
  readonly italic: boolean;
}
