/** An object or a list: its title, which opens and closes it, and its content, indented. */
import { type ReactNode, useState } from "react";
import { shownPath } from "../../../document/values/value-path.ts";
import { icons } from "../../../shell/icons.tsx";
import type { NestedProps } from "./nested-props.ts";
import { RefusalLine } from "./nested-row.tsx";

/**
 * @param summary - A few words about its content.
 * @param children - Called only while it is open.
 */
export function NestedFold({
  inside,
  path,
  title,
  tools,
  grip,
  isOpen: isOpenAtFirst,
  summary,
  children,
}: NestedProps & { readonly summary: string; readonly children: () => ReactNode }): ReactNode {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  return (
    <fieldset className="esp-nested" aria-label={inside.nameOf(path)} data-path={shownPath(path)}>
      <div className="head">
        {grip}
        <button type="button" className="fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <span className="esp-twist" data-open={isOpen}>
            {isOpen ? icons.twistOpen : icons.twist}
          </span>
          <span className="name">{title}</span>
          <small>{summary}</small>
        </button>
        {tools}
      </div>
      <RefusalLine error={inside.errorAt(path)} />
      {isOpen ? <div className="inside">{children()}</div> : null}
    </fieldset>
  );
}
