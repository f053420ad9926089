/**
 * A plugin of the build: makes the code small, and leaves it readable where it matters to the user of a library.
 *
 * - Names of classes, methods, properties and of everything that files export stay, and those of functions that throw: they are what a stack
 *   trace, a profile and the console show. Parameters, local variables, and helpers inside one file get short names.
 * - Statements end in a line break instead of a semicolon, which costs nothing, so that the line of an error is one statement and not the file.
 * - No function is inlined and no statements are joined: a debugger stops where the source would.
 * - `@__PURE__` stays, because bundlers need it to drop what is not used.
 */
import { minify } from "terser";
import ts from "typescript";
import { inlineExports } from "./inline-exports.mjs";

const letters = "etnrsoiaclhdufpmgvbywxkSEPTRCANIOLMDFBUHVGWzjqKXYZQJ_$";

/** Short names in the same order in every file, not by how often letters occur there: what looks alike is packed better. */
const shortNames = {
  /** @param {number} n */
  get(n) {
    let name = "";
    for (let rest = n + 1; rest > 0; rest = Math.floor(rest / letters.length)) {
      rest--;
      name += letters[rest % letters.length];
    }
    return name;
  },
};

/** @type {import("terser").MinifyOptions} */
const options = {
  ecma: 2020,
  module: true,
  keep_classnames: true,
  compress: { toplevel: false, sequences: false, inline: false, reduce_funcs: false, passes: 2 },
  format: { semicolons: false, preserve_annotations: true, comments: false },
};

/** @returns {import("rolldown").Plugin} */
export function minified() {
  return {
    name: "minified",
    // Not earlier: rolldown prints anew what `renderChunk` gives it.
    async generateBundle(_, bundle) {
      /** @type {Record<string, string[]>} */
      const sources = {};
      for (const file of Object.values(bundle)) {
        if (file.type !== "chunk") continue;
        file.code = await minifiedCode(file.code);
        sources[file.fileName] = file.moduleIds.map((id) =>
          id.replaceAll("\\", "/").replace(/^.*\/src\//, "src/"),
        );
      }
      // Not published: which sources each file was made of, for the tests of what a bundle brings along.
      const source = JSON.stringify(sources, null, 1);
      this.emitFile({ type: "asset", fileName: "internal.sources.json", source });
    },
  };
}

/**
 * One module, minified.
 *
 * @param {string} code
 */
export async function minifiedCode(code) {
  const module = inlineExports(code);
  const mangle = { toplevel: true, nth_identifier: shortNames, reserved: keptNames(module) };
  const result = await minify(module, { ...options, mangle });
  return result.code ?? "";
}

/**
 * The names at the top of a module that stay, besides those it exports: of classes, of functions that throw, and of what it imports, because a short name
 * would stand in the list of imports as a second one.
 *
 * @param {string} code
 * @returns {string[]}
 */
function keptNames(code) {
  const source = ts.createSourceFile("a.mjs", code, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS);
  return source.statements.flatMap((statement) => {
    if (ts.isImportDeclaration(statement)) {
      const names = statement.importClause?.namedBindings;
      return names !== undefined && ts.isNamedImports(names)
        ? names.elements.map(({ name }) => name.text)
        : [];
    }
    // A bundler makes variables of classes.
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations
        .filter(({ initializer }) => initializer !== undefined && ts.isClassExpression(initializer))
        .map(({ name }) => name.getText());
    }
    if (!ts.isFunctionDeclaration(statement) || statement.name === undefined) return [];
    return /\bthrow\b|Error\(/.test(statement.getText()) ? [statement.name.text] : [];
  });
}
