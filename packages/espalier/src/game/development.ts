/**
 * Whether this is a development build: where help that costs something, or that players must not see, is given.
 */
export function isDevelopment(): boolean {
  try {
    return process.env.NODE_ENV !== "production";
  } catch {
    return false;
  }
}

declare const process: { readonly env: { readonly NODE_ENV?: string } };
