/**
 * Functions from text: the only file that makes them. Two files use it, `component-code.ts` for the code of one component and
 * `loop.ts` for the loops of one query; their plain twins do the same where a content security policy forbids code from text.
 *
 * V8 is fastest when a loop sees one shape and constant arrays. A function literal that is shared by all components
 * or queries sees many, and costs more (measured; docs/decisions).
 */
let unique = 0;

/** Whether this environment lets us make functions from text. */
export function canGenerate(): boolean {
  try {
    return new Function("return true")() === true;
  } catch {
    return false;
  }
}

/** A function from text, with code and type feedback of its own. */
export function compile(parameters: readonly string[], body: string): (...values: unknown[]) => unknown {
  // Equal texts would share compiled code and type feedback; the number keeps them apart. The values arrive as constants:
  // V8 folds those into the code, which it does not do with parameters, even if they are never assigned to.
  const constants = parameters.map((name) => `const ${name} = $${name};`).join(" ");
  return new Function(
    ...parameters.map((name) => `$${name}`),
    `/* espalier ${unique++} */ ${constants} ${body}`,
  ) as (...values: unknown[]) => unknown;
}

const shared = new Map<string, (...values: unknown[]) => unknown>();

/** The same, shared by all callers with the same name and text: what another world makes of it is fast from its first call on. */
export function compileShared(
  name: string,
  parameters: readonly string[],
  body: string,
): (...values: unknown[]) => unknown {
  const key = `${name}: ${parameters}: ${body}`;
  const known = shared.get(key) ?? compile(parameters, body);
  shared.set(key, known);
  return known;
}

/**
 * Text that never runs, for a function that is never given `null` as its parameter of this name. V8 leaves a function alone
 * that is longer than 460 bytes of bytecode. A loop that it inlined into `update` while only one query exists would leave no
 * budget to inline the callback, which costs 5 times as much.
 */
export function tooLongToInline(parameter: string): string {
  return `if (${parameter} === null) { ${`${parameter}.x; `.repeat(160)} }`;
}

/** The value of an expression that sees nothing but what is global and what `scope` says. */
export function evaluateIn(scope: object, expression: string): unknown {
  return (new Function("$scope", `with ($scope) { return (${expression}); }`) as (scope: object) => unknown)(
    scope,
  );
}
