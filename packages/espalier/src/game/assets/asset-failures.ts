/**
 * Messages about missing and broken files.
 */
import type { AssetFailure } from "../errors.ts";
import type { Task, Wanted } from "./asset-task.ts";
import { AssetFault } from "./fetch-asset.ts";

export function failureAt({
  name,
  path,
  file,
  component,
  field,
}: Wanted): Omit<AssetFailure, "reason" | "kind"> {
  return {
    name,
    address: undefined,
    status: undefined,
    path,
    file,
    field: component === undefined ? undefined : `${component}.${field}`,
    cause: undefined,
  };
}

export function failureOf({ kind, address, wanted }: Task, error: unknown): AssetFailure {
  return {
    ...failureAt(wanted),
    kind: kind.kind,
    address: address === "" ? undefined : address,
    status: error instanceof AssetFault ? error.status : undefined,
    reason: error instanceof Error ? error.message : String(error),
    cause: error,
  };
}

/** How many failures a message shows; `failures` has all. */
const shown = 20;

export function messageOf(label: string, failures: readonly AssetFailure[]): string {
  const lines = failures.slice(0, shown).map(({ name, address, reason, path, file, field }) => {
    const where = address === undefined || address === name ? "" : ` (${address})`;
    const need = path === undefined ? "" : `; ${path} needs it as ${field}, in ${file}`;
    return `\n  ${name}${where}: ${reason.replace(/\.$/, "")}${need}`;
  });
  if (failures.length > shown) lines.push(`\n  … and ${failures.length - shown} more`);
  const count = failures.length === 1 ? "a file is" : `${failures.length} files are`;
  return `Cannot load ${label}: ${count} missing or broken, and nothing is in use. retry() of this error loads the rest.${lines.join("")}\n `;
}
