/** A small project that comes with the editor. */
export interface Sample {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  /** A CSS background for its tile. */
  readonly art: string;
  readonly scene: string;
  readonly prefabs: { readonly [name: string]: string };
}
