/**
 * For the build of the page: Box2D as it is compiled makes functions from texts, which the page forbids, because a scene must not
 * be able to run code. Here the same calls are made without texts. The build fails when the engine no longer looks as expected.
 */
import type { Plugin } from "vite";

/** A call into the engine: arguments to its memory, the call, cleaning up, the result back. */
const invoker = `return (humanName, throwBindingError, invoker, fn, runDestructors, fromRetWire, toClassParamWire, ...rest) =>
    function (...given) {
      const destructors = needsDestructorStack ? [] : null;
      const wired = [fn];
      if (isClassMethodFunc) wired.push(toClassParamWire(destructors, this));
      const first = wired.length;
      for (let k = 0; k < argCount; k++) wired.push(rest[k](destructors, given[k]));
      const result = invoker(...wired);
      if (needsDestructorStack) runDestructors(destructors);
      else {
        let next = argCount;
        for (let k = isClassMethodFunc ? 1 : 2; k < argTypes.length; ++k) {
          if (argTypes[k].destructorFunction !== null) rest[next++](wired[k === 1 ? 1 : first + k - 2]);
        }
      }
      return returns ? fromRetWire(result) : undefined;
    };`;

/** A call out of the engine. */
const methodCaller = `var invokerFunction = (handle, methodName, destructorsRef, place) => {
    const values = argFromPtr.map((read, k) => read(place + k * GenericWireTypeSize));
    const target = kind === 3 ? undefined : Emval.toValue(handle);
    let result;
    if (kind === 0) result = target(...values);
    else if (kind === 1) result = target[getStringOrSymbol(methodName)](...values);
    else if (kind === 2) result = new target(...values);
    else result = values.at(-1);
    return retType.isVoid ? undefined : emval_returnValue(toReturnWire, destructorsRef, result);
  };`;

const replaced = [
  ["return new Function(args1, invokerFnBody);", invoker],
  [
    "var invokerFunction = new Function(Object.keys(captures), functionBody)(...Object.values(captures));",
    methodCaller,
  ],
] as const;

export function withoutGeneratedCode(): Plugin {
  return {
    name: "espalier:without-generated-code",
    enforce: "pre",
    transform(code, id) {
      if (!/box2d3-wasm.*Box2D\.compat\.mjs$/.test(id)) return undefined;
      let text = code;
      for (const [from, to] of replaced) {
        if (text.split(from).length !== 2)
          this.error(`${id} does not hold "${from}" exactly once: the engine changed.`);
        text = text.replace(from, () => to);
      }
      return { code: text, map: null };
    },
  };
}
