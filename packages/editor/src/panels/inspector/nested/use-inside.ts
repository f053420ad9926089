/** The inside of a field of several entities, through the commands of the editor. */
import type { AnyComponent, Entity } from "espalier";
import { useState } from "react";
import { insertItems } from "../../../commands/components/insert-items.ts";
import { moveItems } from "../../../commands/components/move-items.ts";
import { removeItems } from "../../../commands/components/remove-items.ts";
import { removeMember } from "../../../commands/components/remove-member.ts";
import { changeInside, setInside } from "../../../commands/components/set-inside.ts";
import { setTag } from "../../../commands/components/set-tag.ts";
import { seal } from "../../../document/edit.ts";
import { plainMessage } from "../../../document/plain-message.ts";
import { shownPath, type ValuePath } from "../../../document/values/value-path.ts";
import { useApp } from "../../../shell/use-app.ts";
import type { Inside } from "./inside.ts";

interface Refusal {
  readonly path: string;
  readonly text: string;
}

/** A refused change is reported at its input. */
export function useInside(entities: readonly Entity[], component: AnyComponent, field: string): Inside {
  const { document } = useApp();
  const [refusal, setRefusal] = useState<Refusal | undefined>();
  const attempt = (path: ValuePath, run: () => void) => {
    try {
      run();
      setRefusal(undefined);
    } catch (error) {
      setRefusal({ path: shownPath(path), text: plainMessage((error as Error).message) });
    }
  };
  const at = (path: ValuePath) => ({ component, field, path });
  return {
    nameOf: (path) => `${component.name} ${shownPath([field, ...path])}`,
    set: (path, value, key) =>
      attempt(path, () => {
        setInside(document, entities, at(path), value, key === undefined ? {} : { key });
        if (key === undefined) seal(document);
      }),
    change: (path, change) => attempt(path, () => changeInside(document, entities, at(path), change)),
    setTag: (path, schema, tag, next) =>
      attempt(path, () => setTag(document, entities, at(path), schema, tag, next)),
    end: () => seal(document),
    insert: (list, items, where) =>
      attempt(list, () => insertItems(document, entities, at(list), items, where)),
    remove: (list, where, count) =>
      attempt(list, () => removeItems(document, entities, at(list), where, count)),
    move: (list, from, to, count) =>
      attempt(list, () => moveItems(document, entities, at(list), from, to, count)),
    removeMember: (path) => attempt(path, () => removeMember(document, entities, at(path))),
    errorAt: (path) => (refusal?.path === shownPath(path) ? refusal.text : undefined),
  };
}
