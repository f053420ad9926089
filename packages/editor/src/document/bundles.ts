/** Bundles of the project: components with values that are added together. */
import type { AnyBundle, AnyComponent } from "espalier";
import { libraryComponents, nameOf } from "./format.ts";

/** The components that come with bundles. Those of the library are known already, and how they are written. */
export function componentsIn(bundles: readonly AnyBundle[]): readonly AnyComponent[] {
  const known = new Set(libraryComponents().map(nameOf));
  const all = bundles.flatMap(({ parts }) => parts.map(({ component }) => component));
  return all.filter(({ name }) => !known.has(name));
}

/** What a list says of one: `Tank: Health, Speed`. */
export function bundleLabel({ name, parts }: AnyBundle): string {
  return `${name}: ${parts.map(({ component }) => component.name).join(", ")}`;
}
