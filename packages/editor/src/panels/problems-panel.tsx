/** Everything that is wrong with the scene, with a link to the entity. */
import type { SceneProblem } from "espalier/scene";
import { type ReactNode, useState } from "react";
import type { App } from "../shell/app.ts";
import { Button } from "../shell/button.tsx";
import { useApp } from "../shell/use-app.ts";

/** What opening complained about, and what the validator says now, when it was asked. */
export function problemsOf(app: App): readonly SceneProblem[] {
  return app.documents.problems ?? app.document.problems;
}

/** Asks the validator about the scene as it would be saved. */
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

function jumpTo(app: App, { entity }: SceneProblem): void {
  const found = entity === undefined ? undefined : app.document.scene?.find(entity);
  if (found !== undefined) app.document.selection.replace([found]);
}
