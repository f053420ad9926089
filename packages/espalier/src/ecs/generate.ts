/**
 * Code made for one component or one query.
 *
 * V8 is fastest when a loop sees one shape and constant arrays. A function literal that is shared by all components
 * or queries sees many, and costs 3 to 5 times as much (measured; docs/decisions). So the few inner loops are
 * generated as text of their own, once per component or query. Where a content security policy forbids that, the
 * plain versions below do the same, slower; the tests run both.
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
  // V8 folds those into the code, which it does not do with parameters, even if nobody assigns to them.
  const constants = parameters.map((name) => `const ${name} = $${name};`).join(" ");
  return new Function(
    ...parameters.map((name) => `$${name}`),
    `/* espalier ${unique++} */ ${constants} ${body}`,
  ) as (...values: unknown[]) => unknown;
}

/**
 * Text that never runs, for a function that is never given `null` as its parameter of this name. V8 leaves a function alone
 * that is longer than 460 bytes of bytecode. A loop that it inlined into `update` while only one query exists would leave no
 * budget to inline the callback, which costs 5 times as much.
 */
export function tooLongToInline(parameter: string): string {
  return `if (${parameter} === null) { ${`${parameter}.x; `.repeat(160)} }`;
}

/**
 * A copy of a function, with code and type feedback of its own: what it makes is compiled for the values it is made for.
 * The function must use nothing but its parameters and what is global; where its text alone does not work (a tool may
 * have put names of its own into it), it is given back as it is.
 *
 * @param probe - Tries the copy.
 */
export function recompiled<F>(factory: F, probe: (copy: F) => void): F {
  const copy = () => compile([], `return (${String(factory)});`)() as F;
  try {
    // Another copy: V8 takes values for constants as long as what holds them was made once.
    probe(copy());
    return copy();
  } catch {
    return factory;
  }
}
