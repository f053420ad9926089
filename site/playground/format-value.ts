/** Values as short text: `{ x: 3, y: 0.5 }`, `[1, 2, …]`. */

/** Never throws, and never grows long. */
export function formatValue(value: unknown, depth = 3, limit = 400): string {
  const text = format(value, depth);
  return text.length > limit ? `${text.slice(0, limit)}…` : text;
}

function format(value: unknown, depth: number): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value);
    case "number":
      return Object.is(value, -0)
        ? "-0"
        : String(Number.isInteger(value) ? value : Number(value.toPrecision(6)));
    case "bigint":
      return `${value}n`;
    case "function":
      return `${value.name || "function"}()`;
    case "symbol":
      return value.toString();
    case "object":
      return value === null ? "null" : formatObject(value, depth);
    default:
      return String(value);
  }
}

function formatObject(value: object, depth: number): string {
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (value instanceof Date) return value.toISOString();
  const isList = Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
  if (isList) return list("[", value as unknown as Iterable<unknown>, "]", depth);
  if (value instanceof Set) return list("Set {", value, "}", depth);
  if (value instanceof Map) return list("Map {", value, "}", depth);
  const name = value.constructor?.name;
  const plain = name === "Object" || name === undefined;
  if (!plain && !Object.hasOwn(value, "toString") && String(value) !== "[object Object]")
    return String(value);
  if (depth <= 0) return plain ? "{…}" : `${name} {…}`;
  const entries = Object.entries(value)
    .slice(0, 20)
    .map(
      ([key, entry]) => `${/^[\w$]+$/.test(key) ? key : JSON.stringify(key)}: ${format(entry, depth - 1)}`,
    );
  const body = entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
  return plain ? body : `${name} ${body}`;
}

function list(open: string, items: Iterable<unknown>, close: string, depth: number): string {
  if (depth <= 0) return `${open}…${close}`;
  const texts: string[] = [];
  for (const item of items) {
    if (texts.length === 30) {
      texts.push("…");
      break;
    }
    texts.push(format(item, depth - 1));
  }
  return `${open}${texts.join(", ")}${close}`;
}
