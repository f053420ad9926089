/**
 * A plugin of the build of the library: leaves out code that only helps developers where `DEVELOPMENT` (src/ecs/development.ts) is false.
 *
 * - `DEVELOPMENT` becomes the literal of the build. In the default build that is an expression, written out at every use, because bundlers that
 *   know no export conditions fold only `process.env.NODE_ENV` itself.
 * - The message of an error is made only in development: the first argument of `new SomeError(message, facts)`, and the second of
 *   `super(code, message, facts)` in a class of errors. Code and facts stay; see `EspalierError`.
 * - `checkOptions` gets the arguments with which it checks the spelling of options only in development: its second and its fourth argument.
 * - The same holds for checks of arguments and the words that only their messages use: see `words`, and `expected` of an `ArgumentTest`.
 */
import { RolldownMagicString } from "rolldown";
import { parseSync, Visitor } from "rolldown/utils";

/**
 * The value of `DEVELOPMENT` in each build. Without `process` (a page, a worker) the default build is the one for production. The form is one that
 * esbuild, Bun, rolldown and terser all fold when they know NODE_ENV: without `!!` esbuild keeps a part, and Bun folds no `a ? b : b`.
 */
export const conditions = {
  development: "true",
  production: "false",
  default: '!!(typeof process === "object" && process.env.NODE_ENV !== "production")',
};

/** Functions that put words into messages, with the indices of these arguments. No other function has such a name. */
export const words = new Map([
  ["checkOptions", [1]],
  ["expectArguments", [0]],
  ["explainThrown", [1]],
  ["refuseArgument", [1, 3]],
  ["refuseUse", [0, 1]],
  ["refuseCall", [0, 1]],
  ["refuseAtlas", [0, 1]],
]);

/** Names of our errors. Those of JavaScript itself keep their messages. */
const errorName = /^(?!(Aggregate|Eval|Range|Reference|Syntax|Type|URI)?Error$).*Error$/;

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
    if (part === undefined || condition === "development") return;
    text.appendRight(part.start, `(${development} ? `);
    text.appendLeft(part.end, ` : ${otherwise})`);
  };
  /** @type {Set<number>} Where `DEVELOPMENT` is declared, imported or passed on, and not used. */
  const mentions = new Set();
  /** @type {boolean[]} For each class around the current node: whether it extends one of our errors. */
  const extendsError = [];
  new Visitor({
    ImportSpecifier({ local }) {
      mentions.add(local.start);
    },
    ExportSpecifier({ local }) {
      mentions.add(local.start);
    },
    VariableDeclarator({ id, init }) {
      mentions.add(id.start);
      if (id.type !== "Identifier" || init === null) return;
      if (id.name === "DEVELOPMENT") text.overwrite(init.start, init.end, development);
      if (id.name === "BUILD") text.overwrite(init.start, init.end, JSON.stringify(condition));
    },
    Identifier({ name, start, end }) {
      if (name === "DEVELOPMENT" && !mentions.has(start)) text.overwrite(start, end, development);
    },
    ClassDeclaration({ superClass }) {
      extendsError.push(superClass !== null && errorName.test(nameOf(superClass)));
    },
    "ClassDeclaration:exit"() {
      extendsError.pop();
    },
    NewExpression(node) {
      if (errorName.test(nameOf(node.callee))) inDevelopment(node.arguments[0]);
    },
    CallExpression(node) {
      if (node.callee.type === "Super" && extendsError.at(-1)) inDevelopment(node.arguments[1]);
      const name = nameOf(node.callee);
      for (const at of words.get(name) ?? []) inDevelopment(node.arguments[at]);
      if (name === "checkOptions") inDevelopment(node.arguments[3], "{}");
    },
    ObjectExpression({ properties }) {
      const [expected, fits] = ["expected", "fits"].map((key) =>
        properties.find((each) => each.type === "Property" && !each.shorthand && nameOf(each.key) === key),
      );
      if (expected?.type === "Property" && fits !== undefined) inDevelopment(expected.value);
    },
  }).visit(parseSync(file, code).program);
  return { code: text.toString(), map: text.generateMap({ hires: true, source: file }).toString() };
}

/** @param {{ type: string, name?: unknown }} node */
function nameOf(node) {
  return node.type === "Identifier" ? String(node.name) : "";
}
