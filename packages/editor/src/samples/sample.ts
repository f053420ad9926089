/** A small project that comes with the editor. */
export interface Sample {
  /** Its title and what it is about are texts: `sample.<id>.title`, `sample.<id>.about`. */
  readonly id: "tanks" | "solar-system" | "garden" | "blocks";
  /** A CSS background for its tile. */
  readonly art: string;
  readonly scene: string;
  readonly prefabs: { readonly [name: string]: string };
}
