/** Bundles of the project: components with values that are added together. */
import type { AnyBundle, AnyComponent } from "espalier";
import { libraryComponents, nameOf } from "./format.ts";

/** The components of the bundles, without those of the library, which are known already. */
export function componentsIn(bundles: readonly AnyBundle[]): readonly AnyComponent[] {
  const known = new Set(libraryComponents().map(nameOf));
  const all = bundles.flatMap(({ parts }) => parts.map(({ component }) => component));
  return all.filter(({ name }) => !known.has(name));
}

/** A bundle as lists show it: `Tank: Health, Speed`. */
export function bundleLabel({ name, parts }: AnyBundle): string {
  return `${name}: ${parts.map(({ component }) => component.name).join(", ")}`;
}
