/**
 * Numbers as people type them: with a unit, as an expression, or as a change of the current value.
 */

/** What was typed into a number field. */
export type TypedNumber =
  | { readonly kind: "number"; readonly value: number }
  /** `+=10`, `*2`: a change, for each of the selected by itself. */
  | { readonly kind: "change"; readonly apply: (now: number) => number }
  | { readonly kind: "refused"; readonly why: "unreadable" | "tooLarge" }
  | { readonly kind: "nothing" };

const functions: ReadonlyMap<string, (...values: readonly number[]) => number> = /* @__PURE__ */ new Map<
  string,
  (...values: readonly number[]) => number
>(
  Object.entries({
    sqrt: (x = Number.NaN) => Math.sqrt(x),
    abs: (x = Number.NaN) => Math.abs(x),
    sin: (x = Number.NaN) => Math.sin((x * Math.PI) / 180),
    cos: (x = Number.NaN) => Math.cos((x * Math.PI) / 180),
    tan: (x = Number.NaN) => Math.tan((x * Math.PI) / 180),
    round: (x = Number.NaN) => Math.round(x),
    floor: (x = Number.NaN) => Math.floor(x),
    ceil: (x = Number.NaN) => Math.ceil(x),
    min: (...values: readonly number[]) => Math.min(...values),
    max: (...values: readonly number[]) => Math.max(...values),
  }),
);
const constants: ReadonlyMap<string, number> = /* @__PURE__ */ new Map([
  ["pi", Math.PI],
  ["tau", 2 * Math.PI],
]);

/** People hardly type more than this, and nested brackets are parsed recursively. */
const MOST_TOKENS = 100;

/** `12`, `1.5e3`, `10+2*3`, `sqrt(2)`, `45°`, `1,5`; `+=10`, `-=2`, `*2`, `/4`. No code is run. Angles of `sin` are in degrees. */
export function readNumber(text: string): TypedNumber {
  const source = text.trim();
  if (source === "") return { kind: "nothing" };
  const relative = /^(?:([-+*/])=|([*/]))(.*)$/s.exec(source);
  if (relative === null) return asTyped(valueOfSum(source));
  const by = asTyped(valueOfSum(relative[3] as string));
  if (by.kind !== "number") return by;
  const { value } = by;
  const operator = (relative[1] ?? relative[2]) as string;
  if (operator === "/" && value === 0) return { kind: "refused", why: "tooLarge" };
  const apply: { readonly [operator: string]: (now: number) => number } = {
    "+": (now) => now + value,
    "-": (now) => now - value,
    "*": (now) => now * value,
    "/": (now) => now / value,
  };
  return { kind: "change", apply: apply[operator] as (now: number) => number };
}

function asTyped(value: number): TypedNumber {
  if (Number.isNaN(value)) return { kind: "refused", why: "unreadable" };
  return Number.isFinite(value) ? { kind: "number", value } : { kind: "refused", why: "tooLarge" };
}

/** NaN if the text cannot be parsed. */
function valueOfSum(text: string): number {
  const plain = text.replace(/[°]|deg|px/gi, "");
  // Between the arguments of a function a comma is not a decimal point: `max(1,7)`.
  const source = /[a-z]\s*\(/i.test(plain) ? plain : plain.replace(/(\d),(\d)/g, "$1.$2");
  const tokens = source.match(/\d+\.?\d*(?:e[+-]?\d+)?|\.\d+|[a-z]+|[-+*/(),]|\S/gi) ?? [];
  if (tokens.length > MOST_TOKENS) return Number.NaN;
  let at = 0;
  const named = (name: string): number => {
    if (tokens[at] !== "(") return constants.get(name) ?? Number.NaN;
    at++;
    const values = [sum()];
    while (tokens[at] === ",") {
      at++;
      values.push(sum());
    }
    return tokens[at++] === ")" ? (functions.get(name)?.(...values) ?? Number.NaN) : Number.NaN;
  };
  const factor = (): number => {
    const token = tokens[at++];
    if (token === "-") return -factor();
    if (token === "+") return factor();
    if (token === "(") {
      const inside = sum();
      return tokens[at++] === ")" ? inside : Number.NaN;
    }
    if (token === undefined) return Number.NaN;
    return /^[a-z]+$/i.test(token) ? named(token.toLowerCase()) : Number(token);
  };
  const product = (): number => {
    let value = factor();
    while (tokens[at] === "*" || tokens[at] === "/")
      value = tokens[at++] === "*" ? value * factor() : value / factor();
    return value;
  };
  const sum = (): number => {
    let value = product();
    while (tokens[at] === "+" || tokens[at] === "-")
      value = tokens[at++] === "+" ? value + product() : value - product();
    return value;
  };
  const value = sum();
  return at === tokens.length ? value : Number.NaN;
}

/** A number as text for a field: with no more digits than a 32-bit float has. */
export function shownNumber(value: number): string {
  return String(Number.isInteger(value) ? value : Number(value.toPrecision(6)));
}
