/** A row inside a field: its title, its input, its buttons, and why a change was refused. */
import type { ReactNode } from "react";
import { shownPath } from "../../../document/values/value-path.ts";
import type { NestedProps } from "./nested-props.ts";

/** @param scrub - Handlers of a title that can be dragged. */
export function NestedRow({
  inside,
  path,
  title,
  tools,
  grip,
  scrub,
  children,
}: Pick<NestedProps, "inside" | "path" | "title" | "tools" | "grip"> & {
  readonly scrub?: object;
  readonly children: ReactNode;
}): ReactNode {
  const error = inside.errorAt(path);
  return (
    <div className="esp-field" data-path={shownPath(path)}>
      <span className={`label ${scrub === undefined ? "" : "scrub"}`} title={inside.nameOf(path)}>
        {grip}
        <span {...scrub}>{title}</span>
      </span>
      <div className="value">
        {children}
        {tools}
      </div>
      <RefusalLine error={error} />
    </div>
  );
}

/** Why a change was refused, said at once. */
export function RefusalLine({ error }: { readonly error: string | undefined }): ReactNode {
  if (error === undefined) return null;
  return (
    <div className="error" role="alert">
      {error}
    </div>
  );
}
