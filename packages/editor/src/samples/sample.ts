/** A small project that comes with the editor. */
export interface Sample {
  /** Its title and description are texts: `sample.<id>.title`, `sample.<id>.about`. */
  readonly id: "tanks" | "meadow" | "solar-system" | "garden" | "blocks";
  /** A CSS background for its tile. */
  readonly art: string;
  readonly scene: string;
  /** Addresses of its images by name. */
  readonly images?: { readonly [name: string]: string };
  readonly prefabs: { readonly [name: string]: string };
}
