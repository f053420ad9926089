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

export const budgets: readonly Budget[] = [
  {
    title: "the world",
    code: `export { component, createWorld, f32 } from "espalier";`,
    limit: 20_000,
    reason:
      "World, entities, components, queries, change readers, observers, guards, bulk calls, resources, and what trees and undo hang on to. Why they are methods: docs/decisions/0021-size-of-the-core.md; why there is no smaller world: docs/decisions/0026-one-mutation-core.md.",
  },
  {
    title: "all of espalier",
    code: `export * from "espalier";`,
    limit: 35_000,
    reason:
      "Commands, events, schedule, inspection, the self-test, exact returns for undo and the loop that destroys trees of mixed archetypes add about 15 kB to the core, most of it messages; who does not import them does not pay.",
  },
];
