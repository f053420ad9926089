/** The menu of a field in the inspector. */
import { type AnyComponent, type Entity, fieldTypeOf } from "espalier";
import type { Instance, Override } from "espalier/scene";
import { setField } from "../../commands/components/set-field.ts";
import { revertOverride } from "../../commands/scene/revert-override.ts";
import type { FieldState } from "../../document/values/field-values.ts";
import { applyToPrefab } from "../actions/prefab-actions.ts";
import { copyPlain } from "../actions/select-actions.ts";
import type { App } from "../app.ts";
import type { MenuGroups } from "./menu-item.ts";

export interface FieldMenu {
  readonly component: AnyComponent;
  readonly entities: readonly Entity[];
  readonly state: FieldState;
  readonly override: { readonly instance: Instance; readonly override: Override } | undefined;
}

export function fieldGroups(app: App, { component, entities, state, override }: FieldMenu): MenuGroups {
  const { document } = app;
  const { name, field, value } = state;
  const isReference = fieldTypeOf(field).valueKind === "entity";
  const target = isReference && value !== null && document.world.isAlive(value as Entity);
  const write = (next: unknown) =>
    app.notes.attempt(() => setField(document, entities, component, name, next));
  const { initial } = field;
  return [
    isReference
      ? [
          {
            label: app.t("menu.selectTarget"),
            disabled: target ? undefined : app.t("inspector.none"),
            run: () => document.selection.replace([value as Entity]),
          },
        ]
      : [
          { label: app.t("menu.copyValue"), run: () => void copyPlain(app, JSON.stringify(value)) },
          { label: app.t("menu.pasteValue"), run: () => void paste(app, write) },
        ],
    [
      {
        label: app.t("menu.resetValue"),
        run: () => write(typeof initial === "function" ? initial() : initial),
      },
      ...(override === undefined
        ? []
        : [
            {
              label: app.t("inspector.revert"),
              run: () =>
                void app.notes.attempt(() => revertOverride(document, override.instance, override.override)),
            },
            {
              label: app.t("inspector.apply"),
              run: () => applyToPrefab(app, override.instance, [override.override]),
            },
          ]),
    ],
    [{ label: app.t("menu.copyName"), run: () => void copyPlain(app, `${component.name}.${name}`) }],
  ];
}

/** Text that is not JSON is used as a string: the library refuses values that do not fit. */
async function paste(app: App, write: (value: unknown) => void): Promise<void> {
  try {
    const text = await navigator.clipboard.readText();
    write(parsedOr(text));
  } catch {
    app.notes.say(app.t("copy.refused"), "error");
  }
}

function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
