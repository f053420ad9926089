/** What the selected entities are made of: every component by its schema. */
import { type AnyComponent, type Entity, inspect, isTag } from "espalier";
import { type Instance, instanceOf, keptOf, type Override, referencesTo } from "espalier/scene";
import { Transform2D } from "espalier/transform";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { addComponent } from "../../commands/add-component.ts";
import { removeComponent } from "../../commands/remove-component.ts";
import { renameEntity } from "../../commands/rename-entity.ts";
import { fieldStates, sharedComponents } from "../../document/values/field-values.ts";
import type { App } from "../../shell/app.ts";
import { Button } from "../../shell/button.tsx";
import { icons } from "../../shell/icons.tsx";
import { useApp, useLive } from "../../shell/use-app.ts";
import { FieldRow } from "./field-row.tsx";
import { PrefabBar } from "./prefab-bar.tsx";
import { StateRow } from "./state-row.tsx";
import { TransformSection } from "./transform-section.tsx";

/** From this many on, only the last ones are compared. */
const MOST_COMPARED = 500;

export function InspectorPanel(): ReactNode {
  const app = useApp();
  const { document } = app;
  const entities = document.selection.entities.filter((entity) => document.world.isAlive(entity));
  return (
    <section className="esp-panel" aria-label={app.t("panel.inspector")}>
      <header className="esp-head">
        <h2>{app.t("panel.inspector")}</h2>
      </header>
      <div className="esp-scroll" key={entities.at(-1)}>
        {entities.length === 0 ? (
          <p className="esp-empty">{app.t("inspector.nothing")}</p>
        ) : (
          <Inspected entities={entities} />
        )}
      </div>
    </section>
  );
}

function Inspected({ entities: selected }: { readonly entities: readonly Entity[] }): ReactNode {
  const app = useApp();
  useLive(app, "values");
  const { document } = app;
  // In a live world they may be gone before the next drawing of all.
  const entities = selected.filter((entity) => document.world.isAlive(entity));
  if (entities.length === 0) return null;
  const compared = entities.slice(-MOST_COMPARED);
  const last = entities.at(-1) as Entity;
  const components = sharedComponents(document, compared);
  const instance = entities.length === 1 ? instanceOf(document.tree, last) : undefined;
  const overrides = instance === undefined ? [] : safeOverrides(instance);
  return (
    <>
      <Title entities={entities} />
      <StateRow entities={entities} />
      {instance === undefined ? null : <PrefabBar instance={instance} overrides={overrides} />}
      {components.map((component) => (
        <ComponentSection
          key={component.name}
          component={component}
          entities={compared}
          instance={instance}
          overrides={overrides.filter((override) => override.entity === last)}
        />
      ))}
      {entities.length === 1 ? <KeptSections entity={last} /> : null}
      <AddComponent entities={entities} components={components} />
      {entities.length === 1 ? <Facts entity={last} /> : null}
    </>
  );
}

function Title({ entities }: { readonly entities: readonly Entity[] }): ReactNode {
  const app = useApp();
  const { document } = app;
  const last = entities.at(-1) as Entity;
  const [draft, setDraft] = useState<string | undefined>();
  if (entities.length > 1) {
    return (
      <div className="esp-title">
        <b>{app.t("inspector.several", { count: entities.length })}</b>
      </div>
    );
  }
  const name = document.tree.nameOf(last) ?? "";
  const id = document.scene?.idOf(last);
  return (
    <div className="esp-title">
      <input
        className="esp-input"
        aria-label={app.t("hierarchy.rename")}
        value={draft ?? name}
        placeholder={document.label(last)}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={() => {
          if (draft !== undefined) app.attempt(() => renameEntity(document, last, draft));
          setDraft(undefined);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter") event.currentTarget.blur();
          else if (event.key === "Escape") setDraft(undefined);
        }}
      />
      <div className="path esp-code" title={document.tree.pathOf(last)}>
        {document.tree.pathOf(last)}
        {id === undefined ? "" : `  ·  ${id}`}
      </div>
    </div>
  );
}

interface SectionProps {
  readonly component: AnyComponent;
  readonly entities: readonly Entity[];
  readonly instance: Instance | undefined;
  readonly overrides: readonly Override[];
}

function ComponentSection({ component, entities, instance, overrides }: SectionProps): ReactNode {
  const app = useApp();
  const { document } = app;
  const widget = app.widgets[component.name];
  const isTransform = (component as unknown) === Transform2D;
  const overrideOf = (field: string) => {
    const override = overrides.find(
      (one) => one.component === component.name && (one.field ?? field) === field,
    );
    return instance === undefined || override === undefined ? undefined : { instance, override };
  };
  return (
    <section className="esp-section" data-component={component.name} aria-label={component.name}>
      <header>
        <h3>{component.name}</h3>
        <Button
          label={app.t("inspector.remove", { name: component.name })}
          icon={icons.minus}
          onClick={() => app.attempt(() => removeComponent(document, entities, component))}
        />
      </header>
      {isTag(component) ? null : (
        <div className="fields">
          {widget !== undefined ? (
            <WidgetPlace app={app} component={component} entities={entities} />
          ) : isTransform ? (
            <TransformSection entities={entities} overrideOf={overrideOf} />
          ) : (
            fieldStates(document, entities, component).map((state) => (
              <FieldRow
                key={state.name}
                component={component}
                entities={entities}
                state={state}
                override={overrideOf(state.name)}
                isChanged={app.watch?.wasFieldChanged(entities, component) ?? false}
              />
            ))
          )}
        </div>
      )}
    </section>
  );
}

/** A widget of the user's own, which need not know React. */
function WidgetPlace({
  app,
  component,
  entities,
}: {
  app: App;
  component: AnyComponent;
  entities: readonly Entity[];
}): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const ids = entities.join(",");
  // biome-ignore lint/correctness/useExhaustiveDependencies: made again for other entities only
  useEffect(() => {
    const widget = app.widgets[component.name];
    if (place.current === null || widget === undefined) return undefined;
    return widget(place.current, { document: app.document, entities, component });
  }, [app, component, ids]);
  return <div ref={place} />;
}

function KeptSections({ entity }: { readonly entity: Entity }): ReactNode {
  const app = useApp();
  const { components } = keptOf(app.document.tree, entity);
  return Object.entries(components).map(([name, value]) => (
    <section key={name} className="esp-section" aria-label={name}>
      <header>
        <h3>{name}</h3>
      </header>
      <div className="fields">
        <small>{app.t("inspector.kept")}</small>
        <code className="esp-code">{JSON.stringify(value)}</code>
      </div>
    </section>
  ));
}

function AddComponent({
  entities,
  components,
}: {
  readonly entities: readonly Entity[];
  readonly components: readonly AnyComponent[];
}): ReactNode {
  const app = useApp();
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState("");
  const choices = app.document.components.filter(
    (component) =>
      !components.includes(component) && component.name.toLowerCase().includes(text.toLowerCase()),
  );
  const add = (component: AnyComponent | undefined) => {
    if (component !== undefined) app.attempt(() => addComponent(app.document, entities, component));
    setOpen(false);
    setText("");
  };
  return (
    <div className="esp-add">
      <Button
        label={app.t("inspector.add")}
        icon={icons.plus}
        showLabel
        className="solid"
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen ? (
        <div className="esp-menu">
          <input
            className="esp-input"
            aria-label={app.t("inspector.addSearch")}
            placeholder={app.t("inspector.addSearch")}
            value={text}
            ref={(input) => input?.focus()}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === "Enter") add(choices[0]);
              if (event.key === "Escape") setOpen(false);
            }}
          />
          <div className="list">
            {choices.map((component) => (
              <button
                key={component.name}
                type="button"
                className="esp-button"
                onClick={() => add(component)}
              >
                {component.name}
              </button>
            ))}
          </div>
        </div>
      ) : null}
    </div>
  );
}

/** What follows from elsewhere: computed values, and who refers to the entity. */
function Facts({ entity }: { readonly entity: Entity }): ReactNode {
  const app = useApp();
  const { document } = app;
  const computed = inspect(document.world, entity).computed;
  // This asks every entity that refers to others, so it is not asked again with every value that a live world shows.
  // biome-ignore lint/correctness/useExhaustiveDependencies: any edit may change it
  const references = useMemo(
    () => referencesTo(document.world, entity),
    [document, entity, app.revision],
  ).filter(({ entity: from }) => document.world.isAlive(from));
  const world = document.world.has(entity, document.space.component)
    ? document.space.worldOf(entity)
    : undefined;
  return (
    <section className="esp-section" aria-label={app.t("inspector.computed")}>
      <header>
        <h3>{app.t("inspector.computed")}</h3>
      </header>
      <div className="fields esp-code esp-facts">
        {world === undefined ? null : (
          <div>
            world [{[world.a, world.b, world.c, world.d].map((n) => n.toFixed(3)).join(" ")}] (
            {world.x.toFixed(2)}, {world.y.toFixed(2)})
          </div>
        )}
        {computed.map(({ name, value, error }) => (
          <div key={name}>
            {name}: {error === undefined ? shortJson(value) : String(error)}
          </div>
        ))}
      </div>
      <h3 className="esp-sub">{app.t("inspector.references")}</h3>
      {references.length === 0 ? (
        <p className="esp-empty" style={{ padding: "2px 10px 10px" }}>
          {app.t("inspector.noReferences")}
        </p>
      ) : (
        <ul className="esp-list">
          {references.map(({ entity: from, component, field }) => (
            <li key={`${from} ${component.name} ${field}`}>
              <button type="button" onClick={() => document.selection.replace([from])}>
                <span className="grow">{document.label(from)}</span>
                <small>
                  {component.name}.{field}
                </small>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** With numbers as people read them. */
function shortJson(value: unknown): string {
  return JSON.stringify(value, (_, one) => (typeof one === "number" ? Number(one.toPrecision(6)) : one));
}

/** An instance that is half undone may not be comparable for a moment. */
function safeOverrides(instance: Instance): readonly Override[] {
  try {
    return instance.overrides();
  } catch {
    return [];
  }
}
