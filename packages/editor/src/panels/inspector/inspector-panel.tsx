/** The components of the selected entities, by their schemas. */
import type { Entity } from "espalier";
import { type Instance, instanceOf, keptOf, type Override } from "espalier/scene";
import type { ReactNode } from "react";
import { sharedComponents } from "../../document/values/field-values.ts";
import { useApp } from "../../shell/use-app.ts";
import { AddComponentMenu } from "./add-component-menu.tsx";
import { ComponentSection } from "./component-section.tsx";
import { EntityFacts } from "./entity-facts.tsx";
import { EntityTitle } from "./entity-title.tsx";
import { PrefabBar } from "./prefab-bar.tsx";
import { StateRow } from "./state-row.tsx";
import { useLiveValue } from "./use-live-value.ts";

/** At most this many entities are compared, the last ones; all of them are written. */
const MOST_COMPARED = 500;

export function InspectorPanel(): ReactNode {
  const app = useApp();
  const { document } = app;
  const entities = document.selection.entities.filter((entity) => document.world.isAlive(entity));
  return (
    <section className="esp-panel" aria-label={app.t("panel.inspector")} data-tour="inspector">
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
  const { document } = app;
  // Which parts are shown; each part follows its own values.
  useLiveValue(
    app,
    [],
    () => {
      const alive = selected.filter((entity) => document.world.isAlive(entity)).slice(-MOST_COMPARED);
      const instance = alive.length === 1 ? instanceOf(document.tree, alive[0] as Entity) : undefined;
      // How an instance differs from its prefab may change with any value.
      const parts = instance === undefined ? [] : [instance.prefab, app.live.pulses.rows];
      return [...alive, ...sharedComponents(document, alive).map(({ name }) => name), ...parts];
    },
    (a, b) => a.length === b.length && a.every((one, k) => one === b[k]),
  );
  // In a live world they may be destroyed before the next full render.
  const entities = selected.filter((entity) => document.world.isAlive(entity));
  if (entities.length === 0) return null;
  const compared = entities.slice(-MOST_COMPARED);
  const last = entities.at(-1) as Entity;
  const components = sharedComponents(document, compared);
  const instance = entities.length === 1 ? instanceOf(document.tree, last) : undefined;
  const overrides = instance === undefined ? [] : safeOverrides(instance);
  return (
    <>
      <EntityTitle entities={entities} />
      <StateRow entities={entities} compared={compared} />
      {instance === undefined ? null : <PrefabBar instance={instance} overrides={overrides} />}
      {components.map((component) => (
        <ComponentSection
          key={component.name}
          component={component}
          entities={entities}
          compared={compared}
          instance={instance}
          overrides={overrides.filter((override) => override.entity === last)}
        />
      ))}
      {entities.length === 1 ? <KeptSections entity={last} /> : null}
      <AddComponentMenu entities={entities} components={components} />
      {entities.length === 1 ? <EntityFacts entity={last} /> : null}
    </>
  );
}

function KeptSections({ entity }: { readonly entity: Entity }): ReactNode {
  const app = useApp();
  const { format, tree } = app.document;
  const { components } = keptOf(tree, entity);
  return Object.entries(components).map(([name, value]) => (
    <section key={name} className="esp-section" aria-label={name}>
      <header>
        <h3>{name}</h3>
      </header>
      <div className="fields">
        <small>
          {app.t(format.component(name) === undefined ? "inspector.kept" : "inspector.keptWrong")}
        </small>
        <code className="esp-code">{JSON.stringify(value)}</code>
      </div>
    </section>
  ));
}

/** An instance that is half undone may not be comparable for a moment. */
function safeOverrides(instance: Instance): readonly Override[] {
  try {
    return instance.overrides();
  } catch {
    return [];
  }
}
