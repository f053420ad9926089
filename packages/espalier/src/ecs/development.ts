/**
 * Which build this is. `scripts/build-condition.mjs` writes the literals of each build; on the source NODE_ENV says.
 */

/**
 * Whether this is a development build. What only teaches (the prose of messages, the spelling of options, warnings, self-tests of rooms)
 * is there only if it holds; nothing that protects data depends on it. Bundlers fold it, so that it guards what your own code does in
 * development only.
 */
export const DEVELOPMENT: boolean = typeof process !== "undefined" && process.env.NODE_ENV !== "production";

/** The folder the build is in: each is a copy of the library of its own. */
export const BUILD: string = "source";

declare const process: { readonly env: { readonly NODE_ENV?: string } };
