/** Derived facts: computed values, and the references to the entity. */
import { type Entity, inspect } from "espalier";
import { referencesTo } from "espalier/scene";
import { type ReactNode, useEffect, useMemo, useReducer, useRef } from "react";
import type { EditorDocument } from "../../document/document.ts";
import { shortPath } from "../../document/tree/short-path.ts";
import { wordedAs } from "../../document/values/worded.ts";
import { useApp } from "../../shell/use-app.ts";

export function EntityFacts({ entity }: { readonly entity: Entity }): ReactNode {
  const app = useApp();
  const { document } = app;
  // This visits every entity that refers to others, so it is not repeated with every value update of a live world.
  // biome-ignore lint/correctness/useExhaustiveDependencies: any edit may change it
  const references = useMemo(
    () => referencesTo(document.world, entity),
    [document, entity, app.signal.revision],
  ).filter(({ entity: from }) => document.world.isAlive(from));
  return (
    <section className="esp-section" aria-label={app.t("inspector.computed")}>
      <header>
        <h3>{app.t("inspector.computed")}</h3>
      </header>
      <ComputedLines entity={entity} />
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

/** Lines that change in place while a live world runs; without React, which took much longer. */
function ComputedLines({ entity }: { readonly entity: Entity }): ReactNode {
  const app = useApp();
  const list = useRef<HTMLDivElement>(null);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(
    () =>
      app.live.subscribeTo.values(() => {
        if (!app.document.world.isAlive(entity)) return;
        const lines = computedLines(app.document, entity);
        const shown = list.current?.children ?? [];
        if (lines.length !== shown.length) redraw();
        else for (const [k, { text }] of lines.entries()) write(shown[k]?.firstChild, text);
      }),
    [app, entity],
  );
  return (
    <div ref={list} className="fields esp-code esp-facts">
      {computedLines(app.document, entity).map(({ name, text }) => (
        <div key={name}>{text}</div>
      ))}
    </div>
  );
}

function write(node: ChildNode | null | undefined, text: string): void {
  if (node instanceof Text && node.data !== text) node.data = text;
}

/** A line for each computed value, except those of the editor itself. */
function computedLines(
  { world }: EditorDocument,
  entity: Entity,
): readonly { readonly name: string; readonly text: string }[] {
  const seen = new Set<string>();
  return inspect(world, entity)
    .computed.filter(({ name }) => !name.startsWith("editor "))
    .map(({ name, value, error }) => ({
      name,
      text: `${plainName(name)}: ${error === undefined ? shownAs(name, value) : String(error)}`,
    }))
    .filter(({ text }) => !seen.has(text) && seen.add(text));
}

function shownAs(name: string, value: unknown): string {
  return name === "path" && typeof value === "string" ? shortPath(value) : wordedAs(name, value);
}

/** A second source of the same value is shown under the same name, with its own name in brackets. */
function plainName(name: string): string {
  return name.replace(/ \([^)]*\)$/, "");
}
