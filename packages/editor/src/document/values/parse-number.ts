/**
 * Numbers as people type them: with a unit, or as a small sum.
 */

/** `12`, `1.5e3`, `10+2*3`, `45°`, `1,5`; nothing when it is not a number. No code is run. */
export function parseNumber(text: string): number | undefined {
  const source = text
    .trim()
    .replace(/[°]|deg|px/gi, "")
    .replace(/,/g, ".");
  if (source === "") return undefined;
  const tokens = source.match(/\d+\.?\d*(?:e[+-]?\d+)?|\.\d+|[-+*/()]|\S/gi) ?? [];
  let at = 0;
  const factor = (): number => {
    const token = tokens[at++];
    if (token === "-") return -factor();
    if (token === "+") return factor();
    if (token === "(") {
      const inside = sum();
      return tokens[at++] === ")" ? inside : Number.NaN;
    }
    return token === undefined ? Number.NaN : Number(token);
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
  if (tokens.length > 100) return undefined;
  const value = sum();
  return at === tokens.length && Number.isFinite(value) ? value : undefined;
}

/** A number for a field: no more digits than 32 bits have. */
export function shownNumber(value: number): string {
  return String(Number.isInteger(value) ? value : Number(value.toPrecision(6)));
}
