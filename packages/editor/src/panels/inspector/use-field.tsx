/** What every row of a field does, however it looks: reads, writes, refuses, reverts, and opens its menu. */
import { type AnyComponent, type Entity, fieldTypeOf } from "espalier";
import type { Instance, Override } from "espalier/scene";
import { type ReactNode, useState } from "react";
import { changeList } from "../../commands/components/change-list.ts";
import { changeNumber } from "../../commands/components/change-number.ts";
import { setField } from "../../commands/components/set-field.ts";
import { revertOverride } from "../../commands/scene/revert-override.ts";
import { seal } from "../../document/edit.ts";
import { plainMessage } from "../../document/plain-message.ts";
import { type FieldState, isShownAsNumber, numberOver } from "../../document/values/field-values.ts";
import { inUnit } from "../../document/values/number-change.ts";
import { DEGREES, isAngle, stepOf } from "../../document/values/number-style.ts";
import type { ListEdit } from "../../document/values/reference-list.ts";
import { Button } from "../../shell/button.tsx";
import { icons } from "../../shell/icons.tsx";
import { fieldGroups } from "../../shell/menu/field-menu.ts";
import { useApp } from "../../shell/use-app.ts";
import type { ShownNumber } from "./inputs/number-input.tsx";

export interface FieldProps {
  readonly component: AnyComponent;
  /** The entities that are written. */
  readonly entities: readonly Entity[];
  /** The entities whose values are shown. */
  readonly compared: readonly Entity[];
  readonly state: FieldState;
  readonly override: { readonly instance: Instance; readonly override: Override } | undefined;
  readonly isChanged: boolean;
}

interface UsedField {
  readonly isNumber: boolean;
  readonly angle: boolean;
  /** The value as shown: angles in degrees. */
  readonly value: unknown;
  readonly step: number;
  readonly error: string | undefined;
  /** The button that reverts it to the prefab, if it differs. */
  readonly revert: ReactNode;
  readonly read: () => ShownNumber | undefined;
  readonly onChange: (next: unknown, key: string | undefined) => void;
  readonly onEach: (change: (now: number) => number) => void;
  readonly onList: (change: ListEdit, key: string | undefined) => void;
  readonly onEnd: () => void;
  readonly openMenu: (event: React.MouseEvent) => void;
}

export function useField({ component, entities, compared, state, override }: FieldProps): UsedField {
  const app = useApp();
  const { name, field } = state;
  const [error, setError] = useState<string | undefined>();
  const isNumber = isShownAsNumber(state);
  const angle = isNumber && isAngle(name);
  const factor = angle ? DEGREES : 1;
  const attempt = (write: () => void) => {
    try {
      write();
      setError(undefined);
    } catch (refused) {
      setError(plainMessage((refused as Error).message));
    }
  };
  return {
    isNumber,
    angle,
    value: angle ? (state.value as number) * factor : state.value,
    step: stepOf(name, fieldTypeOf(field).valueKind !== "number"),
    error,
    revert:
      override === undefined ? null : (
        <Button
          label={`${app.t("inspector.revert")}: ${name}`}
          icon={icons.undo}
          onClick={() =>
            app.notes.attempt(() => revertOverride(app.document, override.instance, override.override))
          }
        />
      ),
    read: () => numberOver(app.document, compared, component, name, factor),
    onChange: (next, key) =>
      attempt(() => {
        const stored = angle ? (next as number) / factor : next;
        setField(app.document, entities, component, name, stored, key === undefined ? {} : { key });
      }),
    onList: (change, key) =>
      attempt(() =>
        changeList(app.document, entities, component, name, change, key === undefined ? {} : { key }),
      ),
    onEach: (change) =>
      attempt(() => changeNumber(app.document, entities, component, name, inUnit(change, factor))),
    onEnd: () => seal(app.document),
    openMenu: (event) => {
      event.preventDefault();
      const groups = fieldGroups(app, { component, entities, state, override });
      app.view.openMenu({ x: event.clientX, y: event.clientY, label: name, groups });
    },
  };
}

/** Whether a row would show the same. */
export function isSameField(a: FieldProps, b: FieldProps): boolean {
  return (
    a.component === b.component &&
    a.isChanged === b.isChanged &&
    a.override === undefined &&
    b.override === undefined &&
    a.entities.length === b.entities.length &&
    a.entities.every((entity, k) => entity === b.entities[k]) &&
    a.state.values.every((value, k) => Object.is(value, b.state.values[k]))
  );
}
