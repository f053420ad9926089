/**
 * How large the library may be for those who import a part of it: bytes after minifying and gzip, in a
 * production build.
 *
 * Raise a budget in the commit that needs it, and say there and here what the bytes buy.
 */
export interface Budget {
  title: string;
  /** The program whose bundle is measured. */
  code: string;
  /** In bytes; 1 kB is 1,000. */
  limit: number;
  reason: string;
}

/** The tarball that npm downloads: code, declarations and documents. See docs/decisions/0043-one-set-of-small-files.md. */
export const packed = {
  limit: 400_000,
  reason:
    "Code, minified with the names that users see, 238 kB; declarations with their comments 82; guides, errors and glossary 80. It had 395,000 bytes when this was set.",
};

export const budgets: readonly Budget[] = [
  {
    title: "a world",
    code: `export { component, createWorld, f32 } from "espalier";`,
    limit: 21_600,
    reason:
      "Entities, components, queries, change readers, observers, guards, bulk calls, resources, and the kinds of fields that are used; change readers that keep typed logs and take destroyed ranges in one piece; start values and bulk changes by ranges (0.6 kB). A tenth of it is messages.",
  },
  {
    title: "all of espalier",
    code: `export * from "espalier";`,
    limit: 36_200,
    reason:
      "Commands, events, schedule, inspection and the self-test; who does not import them does not pay.",
  },
  {
    title: "the first program of the README",
    code: `
      export { component, createWorld, f32 } from "espalier";
      export { createHierarchy } from "espalier/hierarchy";
      export { createTransforms2D } from "espalier/transform";`,
    limit: 61_200,
    reason:
      "A world, trees and 2D transforms with the WebAssembly kernel: what most programs begin with. Nearly a kilobyte knows depths and heights of trees with a limit in logarithmic time, and the self-tests of rooms; another one keeps events of trees as numbers until they are read, and moved slots as one run.",
  },
  {
    title: "all rooms of the core",
    code: `
      export * as ecs from "espalier";
      export * as hierarchy from "espalier/hierarchy";
      export * as inherit from "espalier/inherit";
      export * as transform from "espalier/transform";
      export * as history from "espalier/history";
      export * as scene from "espalier/scene";`,
    limit: 158_200,
    reason:
      "Everything but rendering, physics and the game layer; 5.1 kB are the merge of scenes, 1.5 kB are self-tests of the rooms, half a kilobyte the names of the options of scenes and of commands, 5 kB that prefabs inside prefabs are read in place and reloaded from instance to instance, so that a chain of them costs its entities; 0.3 kB refuse texts nested without end and shorten what messages quote.",
  },
  {
    title: "the game layer",
    code: `export { createGame } from "espalier/game";`,
    limit: 148_000,
    reason:
      "All rooms of the core wired together, with input, behaviours, timers and scenes. Checking the arguments of the game and drawing calls, options by name included, takes 5 kB; the self-test of a renderer 1 kB; prefabs read in place and reloaded from instance to instance 5 kB. Pauses that input can end, slow motion, refused names of properties and the warning about unlisted behaviours take 3 kB; texts nested without end and long names in messages 0.3 kB.",
  },
];
