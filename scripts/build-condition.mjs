/**
 * A plugin of the build of the library: what only teaches is left out where `DEVELOPMENT` (src/ecs/development.ts) does not hold.
 *
 * - `DEVELOPMENT` becomes the literal of the build. In the default build that is an expression, at every place, because bundlers that know
 *   no export conditions fold only `process.env.NODE_ENV` itself.
 * - The message of an error is made only in development: the first argument of `new SomeError(message, facts)` and the second of
 *   `super(code, message, facts)` in a class of errors. Code and facts stay; see `EspalierError`.
 * - Calls of the functions in `teaching` are made only in development.
 */
import { RolldownMagicString } from "rolldown";
import { parseSync, Visitor } from "rolldown/utils";

/** What `DEVELOPMENT` is in each build. Without `process` (a page, a worker) the default build is the one for production. */
export const conditions = {
  development: "true",
  production: "false",
  default: '(typeof process !== "undefined" && process.env.NODE_ENV !== "production")',
};

/** Functions that only help while a program is written. */
const teaching = new Set(["checkOptions", "checkNames"]);

/** Errors of JavaScript itself: their messages stay. */
const builtIn = /^(Aggregate|Eval|Range|Reference|Syntax|Type|URI|)Error$/;

/**
 * @param {keyof typeof conditions} condition
 * @returns {import("rolldown").Plugin}
 */
export function buildCondition(condition) {
  return {
    name: "build-condition",
    transform: {
      order: "pre",
      filter: { id: /[\\/]src[\\/].*\.tsx?$/ },
      handler: (code, id) => withCondition(code, id, condition),
    },
  };
}

/**
 * One source file for one build.
 *
 * @param {string} code
 * @param {string} file
 * @param {keyof typeof conditions} condition
 */
export function withCondition(code, file, condition) {
  const development = conditions[condition];
  const text = new RolldownMagicString(code);
  /** @param {{ start: number, end: number } | undefined} part */
  const inDevelopment = (part, otherwise = '""') => {
    if (part === undefined || development === "true") return;
    text.appendRight(part.start, `(${development} ? `);
    text.appendLeft(part.end, ` : ${otherwise})`);
  };
  const isOurs = (/** @type {string | undefined} */ name) => name?.endsWith("Error") && !builtIn.test(name);
  /** @type {Set<number>} Where names are only declared, imported or passed on. */
  const mentioned = new Set();
  /** @type {boolean[]} Of the classes around the present node: whether it is one of our errors. */
  const classes = [];
  new Visitor({
    ClassDeclaration({ superClass }) {
      classes.push(isOurs(superClass?.name) === true);
    },
    "ClassDeclaration:exit"() {
      classes.pop();
    },
    ImportSpecifier({ local }) {
      mentioned.add(local.start);
    },
    ExportSpecifier({ local }) {
      mentioned.add(local.start);
    },
    VariableDeclarator({ id, init }) {
      mentioned.add(id.start);
      if (id.name === "DEVELOPMENT") text.overwrite(init.start, init.end, development);
      if (id.name === "BUILD") text.overwrite(init.start, init.end, JSON.stringify(condition));
    },
    Identifier({ name, start, end }) {
      if (name === "DEVELOPMENT" && !mentioned.has(start)) text.overwrite(start, end, development);
    },
    NewExpression(node) {
      if (isOurs(node.callee.name)) inDevelopment(node.arguments[0]);
    },
    CallExpression(node) {
      if (node.callee.type === "Super" && classes.at(-1)) inDevelopment(node.arguments[1]);
      else if (teaching.has(node.callee.name)) inDevelopment(node, "undefined");
    },
  }).visit(parseSync(file, code).program);
  return { code: text.toString(), map: text.generateMap({ hires: true, source: file }).toString() };
}
