/** What follows from elsewhere: computed values, and who refers to the entity. */
import { type Entity, inspect } from "espalier";
import { referencesTo } from "espalier/scene";
import { type ReactNode, useMemo } from "react";
import { useApp } from "../../shell/use-app.ts";

export function EntityFacts({ entity }: { readonly entity: Entity }): ReactNode {
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
