/** One component of the selected entities: its fields, or the project's own widget. */
import { type AnyComponent, type Component, type Entity, isTag, type Schema } from "espalier";
import type { Instance, Override } from "espalier/scene";
import { Transform2D, Transform3D } from "espalier/transform";
import { type ReactNode, useEffect, useRef } from "react";
import { removeComponent } from "../../commands/components/remove-component.ts";
import { isApplicable } from "../../document/values/applicable-fields.ts";
import { pairsOf } from "../../document/values/field-pairs.ts";
import { type FieldState, fieldStates, isShownAsNumber } from "../../document/values/field-values.ts";
import type { App } from "../../shell/app.ts";
import { Button } from "../../shell/button.tsx";
import { icons } from "../../shell/icons.tsx";
import { markGroups } from "../../shell/menu/mark-menu.ts";
import { useApp } from "../../shell/use-app.ts";
import { FieldPair } from "./field-pair.tsx";
import { FieldRow } from "./field-row.tsx";
import { SharedNote } from "./shared-note.tsx";
import { TransformSection } from "./transform-section.tsx";
import { Transform3DSection } from "./transform3d-section.tsx";
import type { FieldProps } from "./use-field.tsx";
import { useLiveValue } from "./use-live-value.ts";

export interface SectionProps {
  readonly component: AnyComponent;
  /** The entities that are written. */
  readonly entities: readonly Entity[];
  /** The entities whose values are shown. */
  readonly compared: readonly Entity[];
  readonly instance: Instance | undefined;
  readonly overrides: readonly Override[];
}

export function ComponentSection(props: SectionProps): ReactNode {
  const { component, compared, instance, overrides } = props;
  const app = useApp();
  const { document } = app;
  const entities = props.entities.filter((entity) => document.world.has(entity, component));
  const widget = app.widgets[component.name];
  const isTransform = (component as unknown) === Transform2D;
  const isTransform3D = (component as unknown) === Transform3D && document.space3D !== undefined;
  const { folded } = app.view.settings;
  const isFolded = folded.includes(component.name);
  const fold = () =>
    app.view.set({
      folded: isFolded ? folded.filter((name) => name !== component.name) : [...folded, component.name],
    });
  const overrideOf = (field: string) => {
    const override = overrides.find(
      (one) => one.component === component.name && (one.field ?? field) === field,
    );
    return instance === undefined || override === undefined ? undefined : { instance, override };
  };
  return (
    <section className="esp-section" data-component={component.name} aria-label={component.name}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the menu key opens the same menu */}
      <header
        onContextMenu={(event) => {
          event.preventDefault();
          const groups = markGroups(app, component.name);
          app.view.openMenu({ x: event.clientX, y: event.clientY, label: component.name, groups });
        }}
      >
        <h3>
          <button
            type="button"
            className="esp-fold"
            aria-expanded={!isFolded}
            disabled={isTag(component)}
            onClick={fold}
          >
            <span className="esp-twist">
              {isTag(component) ? null : isFolded ? icons.twist : icons.twistOpen}
            </span>
            {component.name}
          </button>
        </h3>
        <Button
          label={app.t("inspector.remove", { name: component.name })}
          icon={icons.minus}
          onClick={() => app.notes.attempt(() => removeComponent(document, entities, component))}
        />
      </header>
      {isTag(component) || isFolded ? null : (
        <div className="fields">
          <SharedNote component={component} entities={compared} />
          {widget !== undefined ? (
            <WidgetHost app={app} component={component} entities={entities} />
          ) : isTransform3D ? (
            <Transform3DSection entities={entities} compared={compared} />
          ) : isTransform ? (
            <TransformSection entities={entities} compared={compared} overrideOf={overrideOf} />
          ) : (
            <Fields component={component} entities={entities} compared={compared} overrideOf={overrideOf} />
          )}
        </div>
      )}
    </section>
  );
}

function Fields({
  component,
  entities,
  compared,
  overrideOf,
}: Omit<SectionProps, "instance" | "overrides"> & {
  readonly overrideOf: (field: string) => FieldProps["override"];
}): ReactNode {
  const app = useApp();
  const { world } = app.document;
  const states = useLiveValue(
    app,
    compared,
    () =>
      fieldStates(app.document, compared, component).map((state) => ({
        ...state,
        isChanged: app.live.watch?.wasFieldChanged(compared, component, state.name) ?? false,
      })),
    isSameStates,
    (entity) => world.isAlive(entity) && world.has(entity, component),
  );
  const values = compared.flatMap((entity) =>
    world.isAlive(entity) && world.has(entity, component)
      ? [world.get(entity, component as Component<Schema>) as { readonly [field: string]: unknown }]
      : [],
  );
  const kinds = (component.schema as { kind?: { names?: readonly string[] } }).kind?.names;
  // Fields that differ from a prefab are always shown: they could not be reverted otherwise.
  const shown = states.filter(
    ({ name }) => overrideOf(name) !== undefined || isApplicable(component.name, name, values, kinds),
  );
  const propsOf = (state: MarkedState): FieldProps => {
    const { name, isChanged } = state;
    return { component, entities, compared, state, override: overrideOf(name), isChanged };
  };
  return pairsOf(shown).map((row) => {
    if (!isPair(row)) return <FieldRow key={row.name} {...propsOf(row)} />;
    const [x, y] = row;
    return <FieldPair key={x.name} x={propsOf(x)} y={propsOf(y)} />;
  });
}

function isPair<State>(row: State | readonly [State, State]): row is readonly [State, State] {
  return Array.isArray(row);
}

type MarkedState = FieldState & { readonly isChanged: boolean };

/** Numbers are not compared: their inputs follow them on their own. */
function isSameStates(a: readonly MarkedState[], b: readonly MarkedState[]): boolean {
  return a.every(
    (state, k) =>
      state.isChanged === b[k]?.isChanged &&
      (isShownAsNumber(state) || state.values.every((value, at) => Object.is(value, b[k]?.values[at]))),
  );
}

/** A widget of the user's own, which need not know React. */
function WidgetHost({
  app,
  component,
  entities,
}: {
  app: App;
  component: AnyComponent;
  entities: readonly Entity[];
}): ReactNode {
  const host = useRef<HTMLDivElement>(null);
  const ids = entities.join(",");
  // biome-ignore lint/correctness/useExhaustiveDependencies: recreated only for other entities
  useEffect(() => {
    const widget = app.widgets[component.name];
    if (host.current === null || widget === undefined) return undefined;
    return widget(host.current, { document: app.document, entities, component });
  }, [app, component, ids]);
  return <div ref={host} />;
}
