/**
 * Declarations as one file per entry: `hierarchy.d.mts` declares what `espalier/hierarchy` exports, and imports the rest by public name.
 *
 * The bundler of declarations puts what entries share into files of their own, so that every name stands three times: where it is declared, in
 * the list of its file, and in the list of the entry. Here each declaration stands in the first entry that exports it, exported on the spot.
 * Declarations that no entry exports go where they are used, and are not exported. A constructor that takes such a thing is not for users, and
 * is declared as `protected`, without parameters.
 */
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, posix, relative } from "node:path";
import ts from "typescript";

/**
 * @typedef {object} Declared A name of the declarations, with everything that declares it.
 * @property {string} name What it is called in the end.
 * @property {ts.Statement[]} statements
 * @property {string | undefined} home The entry that declares it.
 * @property {boolean} isPublic
 */

/**
 * Rewrites the declarations of a build.
 *
 * @param {string} dist The folder of the build.
 * @param {readonly string[]} entries `index`, `hierarchy`, …: what others stand on comes first.
 */
export function linkDeclarations(dist, entries) {
  const files = readdirSync(dist, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".d.mts"))
    .map((file) => join(dist, file));
  const program = ts.createProgram(files, {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ES2022,
    types: [],
    noLib: true,
  });
  const linker = new Linker(program, dist, entries);
  const texts = entries.map((entry) => /** @type {const} */ ([entry, linker.textOf(entry)]));
  for (const file of files) rmSync(file);
  for (const [entry, text] of texts) writeFileSync(join(dist, `${entry}.d.mts`), text);
}

class Linker {
  /** @type {Map<ts.Symbol, Declared>} In the order of the files. */
  #declared = new Map();
  /** @type {Map<string, Map<string, ts.Symbol>>} What each entry exports, by name. */
  #exports = new Map();
  #checker;
  #dist;

  /**
   * @param {ts.Program} program
   * @param {string} dist
   * @param {readonly string[]} entries
   */
  constructor(program, dist, entries) {
    this.#checker = program.getTypeChecker();
    this.#dist = dist;
    for (const file of program.getSourceFiles().filter((file) => this.#isOurs(file))) this.#read(file);
    for (const entry of entries) {
      const file = program.getSourceFile(join(dist, `${entry}.d.mts`));
      if (file === undefined) throw new Error(`The build has no declarations of ${entry}.`);
      this.#readExports(entry, file);
    }
    this.#placeHidden();
    for (const entry of entries) this.#separateNames(entry);
  }

  /**
   * The declarations of an entry.
   *
   * @param {string} entry
   */
  textOf(entry) {
    /** @type {Map<string, Set<string>>} By module: what is imported from it. */
    const imports = new Map();
    const body = [...this.#declared.values()]
      .filter(({ home }) => home === entry)
      .flatMap((declared) =>
        declared.statements.map((statement) => this.#print(statement, declared, imports)),
      );
    /** @type {Map<string, string[]>} */
    const passedOn = new Map();
    for (const [name, symbol] of this.#exports.get(entry) ?? []) {
      const { name: own, home } = this.#get(symbol);
      if (home === entry && own === name) continue;
      const list = passedOn.get(home ?? "") ?? [];
      passedOn.set(home ?? "", [...list, own === name ? name : `${own} as ${name}`]);
    }
    return [
      ...[...imports].map(([from, names]) => importOf(from, [...names].sort())),
      ...[...passedOn].map(([home, names]) =>
        home === entry
          ? `export { ${names.join(", ")} };\n`
          : `export { ${names.join(", ")} } from "${pathBetween(entry, home)}";\n`,
      ),
      ...body,
      // Without it everything that a file of declarations declares would be exported.
      body.length > 0 ? "export {};\n" : "",
    ].join("");
  }

  /** @param {ts.SourceFile} file */
  #read(file) {
    for (const statement of file.statements) {
      if (ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)) continue;
      for (const name of namesOf(statement)) {
        const symbol = this.#checker.getSymbolAtLocation(name);
        if (symbol === undefined) throw new Error(`Cannot link ${name.text}: it has no symbol.`);
        const known = this.#declared.get(symbol);
        if (known !== undefined) known.statements.push(statement);
        else {
          // A bundler that met a name twice numbered the second one.
          const plain = name.text.replace(/\$\d+$/, "");
          this.#declared.set(symbol, {
            name: plain,
            statements: [statement],
            home: undefined,
            isPublic: false,
          });
        }
      }
    }
  }

  /**
   * @param {string} entry
   * @param {ts.SourceFile} file
   */
  #readExports(entry, file) {
    const module = this.#checker.getSymbolAtLocation(file);
    const exported = module === undefined ? [] : this.#checker.getExportsOfModule(module);
    const symbols = new Map(exported.map((symbol) => [symbol.name, this.#target(symbol)]));
    this.#exports.set(entry, symbols);
    for (const [name, symbol] of symbols) {
      const declared = this.#get(symbol);
      if (declared.home !== undefined) continue;
      Object.assign(declared, { name, home: entry, isPublic: true });
    }
  }

  /** What no entry exports goes to the entry that uses it; several entries cannot share it. */
  #placeHidden() {
    /** @type {Map<Declared, Set<Declared>>} */
    const usedBy = new Map();
    for (const declared of this.#declared.values()) {
      for (const used of this.#usedBy(declared))
        usedBy.set(used, (usedBy.get(used) ?? new Set()).add(declared));
    }
    for (let isDone = false; !isDone; ) {
      isDone = true;
      for (const declared of this.#declared.values()) {
        if (declared.isPublic) continue;
        const homes = new Set([...(usedBy.get(declared) ?? [])].map(({ home }) => home));
        homes.delete(undefined);
        if (homes.size > 1)
          throw new Error(
            `${declared.name} is not exported, and the declarations of ${[...homes].join(" and ")} mention it. Export it, or keep it out of one of them.`,
          );
        const [home] = homes;
        if (home === undefined || home === declared.home) continue;
        declared.home = home;
        isDone = false;
      }
    }
  }

  /** @param {Declared} declared */
  #usedBy({ statements }) {
    /** @type {Set<Declared>} */
    const used = new Set();
    for (const statement of statements) {
      this.#eachIdentifier(statement, (identifier) => {
        const declared = this.#declaredAt(identifier);
        if (declared !== undefined) used.add(declared);
      });
    }
    return used;
  }

  /**
   * Visits what a statement mentions, without constructors that are not for users.
   *
   * @param {ts.Node} node
   * @param {(identifier: ts.Identifier) => void} visit
   */
  #eachIdentifier(node, visit) {
    if (this.#isHiddenConstructor(node)) return;
    if (ts.isIdentifier(node)) visit(node);
    ts.forEachChild(node, (child) => this.#eachIdentifier(child, visit));
  }

  /**
   * @param {ts.Node} node
   * @returns {node is ts.ConstructorDeclaration}
   */
  #isHiddenConstructor(node) {
    if (!ts.isConstructorDeclaration(node)) return false;
    /** @type {(part: ts.Node) => boolean} */
    const isHidden = (part) =>
      (ts.isIdentifier(part) && this.#declaredAt(part)?.isPublic === false) ||
      ts.forEachChild(part, (child) => isHidden(child) || undefined) === true;
    return isHidden(node);
  }

  /**
   * Numbers hidden names that are taken in their entry.
   *
   * @param {string} entry
   */
  #separateNames(entry) {
    const here = [...this.#declared.values()].filter(({ home }) => home === entry);
    const taken = new Set(this.#exports.get(entry)?.keys());
    for (const declared of here) {
      for (const { name, home } of this.#usedBy(declared)) if (home !== entry) taken.add(name);
    }
    for (const declared of here) {
      if (declared.isPublic) continue;
      const { name } = declared;
      for (let n = 1; taken.has(declared.name); n++) declared.name = `${name}$${n}`;
      taken.add(declared.name);
    }
  }

  /**
   * @param {ts.Statement} statement
   * @param {Declared} declared
   * @param {Map<string, Set<string>>} imports
   */
  #print(statement, { isPublic, home = "" }, imports) {
    /** @type {{ at: number, end: number, by: string }[]} */
    const edits = [];
    if (isPublic) edits.push({ at: statement.getStart(), end: statement.getStart(), by: "export " });
    if (ts.isClassDeclaration(statement)) {
      for (const member of statement.members.filter((member) => this.#isHiddenConstructor(member)))
        edits.push({ at: member.getStart(), end: member.end, by: "protected constructor();" });
    }
    this.#eachIdentifier(statement, (identifier) => {
      const used = this.#declaredAt(identifier);
      if (used === undefined) {
        this.#importOutside(identifier, imports);
        return;
      }
      if (used.home !== undefined && used.home !== home)
        addTo(imports, pathBetween(home, used.home), used.name);
      if (used.name !== identifier.text)
        edits.push({ at: identifier.getStart(), end: identifier.end, by: used.name });
    });
    const text = statement.getSourceFile().text;
    let result = "";
    // From its own comment on: one before that is about the file. What is hidden cannot be named, so no editor shows its comment.
    const comment = isPublic ? ts.getJSDocCommentsAndTags(statement).at(-1) : undefined;
    let from = comment?.pos ?? statement.getStart();
    for (const { at, end, by } of edits.sort((a, b) => a.at - b.at || a.end - b.end)) {
      result += text.slice(from, at) + by;
      from = end;
    }
    return `${(result + text.slice(from, statement.end)).trim()}\n`;
  }

  /**
   * A name that another package declares is imported from there.
   *
   * @param {ts.Identifier} identifier
   * @param {Map<string, Set<string>>} imports
   */
  #importOutside(identifier, imports) {
    const [specifier] = this.#checker.getSymbolAtLocation(identifier)?.declarations ?? [];
    if (specifier === undefined) return;
    const declaration = ts.findAncestor(specifier, ts.isImportDeclaration);
    if (declaration === undefined || !ts.isStringLiteral(declaration.moduleSpecifier)) return;
    const from = declaration.moduleSpecifier.text;
    if (from.startsWith(".")) throw new Error(`Cannot link ${identifier.text}: ${from} does not declare it.`);
    if (ts.isImportSpecifier(specifier)) addTo(imports, from, specifier.getText());
    else if (ts.isNamespaceImport(specifier)) addTo(imports, from, specifier.getText());
    else throw new Error(`Cannot link ${identifier.text}: a default import is not known here.`);
  }

  /** @param {ts.Identifier} identifier */
  #declaredAt(identifier) {
    const symbol = this.#checker.getSymbolAtLocation(identifier);
    return symbol && this.#declared.get(this.#target(symbol));
  }

  /** @param {ts.Symbol} symbol */
  #get(symbol) {
    const declared = this.#declared.get(symbol);
    if (declared === undefined) throw new Error(`Cannot link ${symbol.name}: nothing declares it.`);
    return declared;
  }

  /** @param {ts.Symbol} symbol */
  #target(symbol) {
    return symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol;
  }

  /** @param {ts.SourceFile} file */
  #isOurs(file) {
    return !relative(this.#dist, file.fileName).startsWith("..");
  }
}

/**
 * @param {ts.Statement} statement
 * @returns {ts.Identifier[]}
 */
function namesOf(statement) {
  if (ts.isVariableStatement(statement)) {
    const [first, ...others] = statement.declarationList.declarations;
    if (first !== undefined && others.length === 0 && ts.isIdentifier(first.name)) return [first.name];
  } else if (
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isFunctionDeclaration(statement)
  ) {
    if (statement.name !== undefined) return [statement.name];
  }
  throw new Error(`Cannot link the declaration ${statement.getText().slice(0, 100)}`);
}

/**
 * @param {Map<string, Set<string>>} sets
 * @param {string} key
 * @param {string} value
 */
function addTo(sets, key, value) {
  sets.set(key, (sets.get(key) ?? new Set()).add(value));
}

/**
 * @param {string} from
 * @param {string[]} names
 */
function importOf(from, names) {
  const spaces = names.filter((name) => name.startsWith("*"));
  const named = names.filter((name) => !name.startsWith("*"));
  const list = named.length > 0 ? `import { ${named.join(", ")} } from "${from}";\n` : "";
  return spaces.map((space) => `import ${space} from "${from}";\n`).join("") + list;
}

/**
 * @param {string} entry
 * @param {string} other
 */
function pathBetween(entry, other) {
  const path = posix.relative(posix.dirname(`/${entry}`), `/${other}.mjs`);
  return path.startsWith(".") ? path : `./${path}`;
}
