/**
 * Changes as text, one line each: what, where, `before → after`.
 */
import type { Json } from "../../scene/index.ts";
import type { Change } from "./change.ts";

/** How many characters of a value are shown. */
const widest = 100;

/**
 * The changes as text, a line each: `+` created, `-` deleted, `>` moved, `~` changed. An empty string without changes.
 *
 * @example
 * ```ts
 * printChanges([{ kind: "set", entity: "tank", path: "/tank", component: "Health", field: "hp", before: 100, after: 50 }]);
 * // → "~ /tank Health.hp: 100 → 50\n"
 * ```
 */
export function printChanges(changes: readonly Change[]): string {
  return changes.map((change) => `${printChange(change)}\n`).join("");
}

function printChange(change: Change): string {
  const { kind, path, component, field, before, after } = change;
  const sides = `${side(change, before)} → ${side(change, after)}`;
  switch (kind) {
    case "created":
      return `+ ${path}${componentsOf(after)}`;
    case "deleted":
      return `- ${path}`;
    case "moved":
      return `> ${path} parent: ${sides}`;
    case "reordered":
      return `> ${path} position: ${sides}`;
    case "renamed":
      return `~ ${path} name: ${sides}`;
    case "set":
      return `~ ${path} ${component}.${field}: ${sides}`;
    case "component-added":
      return `+ ${path} ${component} ${printed(after)}`;
    case "component-removed":
      return `- ${path} ${component}`;
    case "prefab":
      return `~ ${path} prefab: ${sides}`;
    case "file":
      return `~ ${field}: ${sides}`;
    case "prefab-file":
      return `${before === undefined ? "+" : after === undefined ? "-" : "~"} ${path}`;
  }
}

function side({ inherited }: Change, value: Json | undefined): string {
  return value === undefined ? (inherited === true ? "(prefab)" : "(none)") : printed(value);
}

function printed(value: Json | undefined): string {
  const text = JSON.stringify(value) ?? "";
  return text.length > widest ? `${text.slice(0, widest)}…` : text;
}

function componentsOf(entry: Json | undefined): string {
  const { components, prefab } = Object(entry) as { components?: object; prefab?: string };
  const names = Object.keys(components ?? {});
  const from = prefab === undefined ? "" : ` from ${printed(prefab)}`;
  return `${from}${names.length === 0 ? "" : ` (${names.join(", ")})`}`;
}
