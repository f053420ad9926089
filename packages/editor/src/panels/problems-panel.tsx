/** Everything that is wrong with the scene, with a link to the entity. */
import type { SceneProblem } from "espalier/scene";
import { type ReactNode, useState } from "react";
import { plainMessage } from "../document/plain-message.ts";
import type { App } from "../shell/app.ts";
import { Button } from "../shell/button.tsx";
import { useApp } from "../shell/use-app.ts";

/** A problem of the file, or of concurrent edits. */
interface ShownProblem extends Omit<SceneProblem, "code" | "file"> {
  readonly code: string;
}

/** The problems found when opening, those that the validator found if it ran, and merges that broke a rule. */
export function problemsOf(app: App): readonly ShownProblem[] {
  const found = app.documents.problems ?? app.document.problems;
  const { sharing, document } = app;
  if (sharing === undefined || sharing.problems.length === 0) return found;
  const merged = sharing.problems.map(
    ({ code, message, entities: [first] }): ShownProblem => ({
      code,
      message: plainMessage(message),
      path: "",
      line: undefined,
      column: undefined,
      entity: first === undefined ? undefined : document.scene?.idOf(first),
    }),
  );
  return [...found, ...merged];
}

/** Validates the scene as it would be saved. */
export function checkScene(app: App): void {
  const { document } = app;
  try {
    app.documents.problems = document.format.check(document.save(), {
      prefabs: document.prefabs,
      ...(document.file === undefined ? {} : { file: document.file }),
    });
  } catch (error) {
    app.documents.problems = (error as { problems?: readonly SceneProblem[] }).problems ?? [];
    if (app.documents.problems.length === 0) app.notes.say((error as Error).message, "error");
  }
  app.changed();
}

export function ProblemsPanel(): ReactNode {
  const app = useApp();
  const problems = problemsOf(app);
  const [, setChecked] = useState(0);
  return (
    <>
      <div style={{ padding: "6px 8px 0" }}>
        <Button
          label={app.t("problems.check")}
          className="solid"
          onClick={() => {
            checkScene(app);
            setChecked((count) => count + 1);
          }}
        />
      </div>
      {problems.length === 0 ? <p className="esp-empty">{app.t("problems.none")}</p> : null}
      <ul className="esp-list">
        {problems.map((problem) => (
          <li key={`${problem.path} ${problem.code} ${problem.message}`}>
            <button type="button" title={problem.code} onClick={() => jumpTo(app, problem)}>
              <span className="grow">{problem.message}</span>
              <small>
                {problem.line === undefined ? "" : `${problem.line}:${problem.column} `}
                {problem.code}
              </small>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

function jumpTo(app: App, { entity }: ShownProblem): void {
  const found = entity === undefined ? undefined : app.document.scene?.find(entity);
  if (found !== undefined) app.document.selection.replace([found]);
}
