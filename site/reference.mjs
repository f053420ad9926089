/** The reference: a page per exported name and a list of them per room, made by TypeDoc from the doc comments of the source. */
import { join, relative } from "node:path";
import { root } from "../scripts/workspace.mjs";
import { documented } from "./documented.mjs";

/**
 * Writes the pages into a folder.
 *
 * @param {string} out
 */
export async function makeReference(out) {
  const { Application } = await import("typedoc");
  const app = await Application.bootstrapWithPlugins(
    /** @type {import("typedoc").TypeDocOptions} */ ({
      plugin: ["typedoc-plugin-markdown"],
      outputs: [{ name: "markdown", path: out }],
      entryPoints: documented.map(({ source }) => source),
      tsconfig: join(root, "site/tsconfig.reference.json"),
      name: "Reference",
      readme: "none",
      // The types step of the tests reports errors; here they would only cost time.
      skipErrorChecking: true,
      excludePrivate: true,
      excludeExternals: true,
      excludeProtected: true,
      excludeInternal: true,
      disableSources: true,
      validation: { notExported: false, invalidLink: false, rewrittenLink: false },
      logLevel: "Error",
      outputFileStrategy: "members",
      entryFileName: "index",
      hideBreadcrumbs: true,
      hidePageHeader: true,
      // A page is named after what it describes; its kind is the group of the sidebar it stands in.
      textContentMappings: { "title.memberPage": "{name}", "title.modulePage": "{name}" },
      indexFormat: "table",
      // Signatures as text have links to the types they name.
      useCodeBlocks: false,
      groupOrder: ["Functions", "Variables", "Classes", "Interfaces", "Type Aliases", "*"],
      parametersFormat: "table",
      interfacePropertiesFormat: "table",
      typeDeclarationFormat: "table",
      tableColumnSettings: { hideSources: true, hideInherited: true, hideOverrides: true },
    }),
  );
  const project = await app.convert();
  if (project === undefined) throw new Error("TypeDoc could not read the source.");
  // TypeDoc names modules after their files; readers know them by what they import.
  const packages = join(root, "packages");
  const names = new Map(documented.map(({ name, source }) => [moduleOf(relative(packages, source)), name]));
  const modules = project.children ?? [];
  for (const module of modules) module.name = names.get(module.name) ?? module.name;
  const missing = documented.filter(({ name }) => !modules.some((module) => module.name === name));
  if (missing.length > 0) throw new Error(`TypeDoc found no ${missing.map(({ name }) => name).join(", ")}.`);
  await app.generateOutputs(project);
}

/**
 * What TypeDoc calls a file.
 *
 * @param {string} file
 */
function moduleOf(file) {
  return file.replaceAll("\\", "/").replace(/(\/index)?\.ts$/, "");
}
