/**
 * Whether this is a development build: where values are checked and errors name their page.
 */

/** Set once, by the development entry, for places that have no `process`: a browser with an import map. */
let isDeclared = false;

/** Makes this a development build from now on. `development-entry.ts` is the only caller. */
export function declareDevelopment(): void {
  isDeclared = true;
}

/** Bundlers replace NODE_ENV by its value; where there is no process at all, only the development entry says so. */
export function isDevelopment(): boolean {
  if (isDeclared) return true;
  try {
    return process.env.NODE_ENV !== "production";
  } catch {
    return false;
  }
}

declare const process: { readonly env: { readonly NODE_ENV?: string } };
