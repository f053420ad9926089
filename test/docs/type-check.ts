/** Type-checking snippets without writing them to disk. */
import { join } from "node:path";
import ts from "typescript";
import { root } from "../structure/source-files.ts";
import type { Snippet } from "./snippets.ts";

/** Files that are on disk, for all programs: reading those of the library takes most of the time of a small one. */
const onDisk = new Map<string, ts.SourceFile | undefined>();

/**
 * The type errors of snippets, as `path:line: message`, with the compiler options the library uses. A snippet
 * that is wrong on purpose says so with `@ts-expect-error`.
 */
export function typeErrorsOf(snippets: readonly Snippet[]): string[] {
  const base = ts.readConfigFile(join(root, "tsconfig.base.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(base.config, ts.sys, root);
  Object.assign(options, {
    types: ["node", "vite/client"],
    paths: { ...options.paths, "@espalier/editor": ["./packages/editor/src/index.ts"] },
    noUnusedLocals: false,
    noUnusedParameters: false,
    moduleDetection: ts.ModuleDetectionKind.Force,
    jsx: ts.JsxEmit.ReactJSX,
    allowJs: true,
  });

  const files = new Map(
    snippets.map((snippet) => [join(root, `test/docs/${fileOf(snippet)}`).replaceAll("\\", "/"), snippet]),
  );
  const host = ts.createCompilerHost(options);
  const { fileExists, getSourceFile } = host;
  // The folders of the snippets are on no disk.
  delete host.directoryExists;
  host.fileExists = (name) => files.has(name) || fileExists(name);
  host.getSourceFile = (name, how, ...rest) => {
    const snippet = files.get(name);
    if (snippet !== undefined) return ts.createSourceFile(name, snippet.code, how);
    if (!onDisk.has(name)) onDisk.set(name, getSourceFile(name, how, ...rest));
    return onDisk.get(name);
  };

  const program = ts.createProgram([...files.keys()], options, host);
  return [...files].flatMap(([name, snippet]) => {
    const file = program.getSourceFile(name)!;
    const diagnostics = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
    return diagnostics.map(({ start, messageText }) => {
      const line = snippet.lines[file.getLineAndCharacterOfPosition(start ?? 0).line];
      return `${snippet.path}:${line}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
    });
  });
}

/** Files of a page lie beside each other, so that they can import each other. */
function fileOf({ path, line, jsx, file }: Snippet): string {
  return `snippet-${path.replaceAll("/", "-")}/${file ?? `${line}.${jsx ? "tsx" : "ts"}`}`;
}
