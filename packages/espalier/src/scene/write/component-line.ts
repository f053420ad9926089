/**
 * Prints components on one line without intermediate JSON: most of a saved scene. Other components take the general
 * path through `ComponentWriter` and `printScene`; both give the same text.
 */
import { type ComponentCodec, type FieldInfo, keptValue, type WriteContext, writeField } from "../codec.ts";
import { printKeyName, printScalar, widest } from "../json/print.ts";

/** What is known about a field before its value. */
interface FieldLine {
  readonly info: FieldInfo;
  /** `"x": `. */
  readonly key: string;
  /** The default, which is not written. */
  readonly initial: unknown;
  /** Whether the value is the JSON. */
  readonly isScalar: boolean;
}

interface ComponentLine {
  /** `"Health": `. */
  readonly key: string;
  readonly fields: readonly FieldLine[];
}

/** Columns in front of a component of an entity. */
const indent = 8;

export class ComponentLines {
  private readonly lines = new Map<ComponentCodec, ComponentLine | undefined>();

  /** `"Health": { "hp": 5 }`; `undefined` for a component that must take the general path. */
  print(
    codec: ComponentCodec,
    values: { readonly [field: string]: unknown },
    context: WriteContext,
  ): string | undefined {
    const line = this.lineOf(codec);
    if (line === undefined) return undefined;
    let text = "";
    for (const { info, key, initial, isScalar } of line.fields) {
      const value = values[info.name];
      if (Object.is(value, initial)) continue;
      const json = isScalar ? value : writeField(info, value, context);
      if (typeof json === "object" && json !== null) return undefined;
      // A reference to a dead entity is written as `null`.
      if (json === null && info.type.valueKind === "entity") continue;
      text += `${text === "" ? "{ " : ", "}${key}${printScalar(json as string | number | boolean | null)}`;
    }
    text = text === "" ? "{}" : `${text} }`;
    return indent + line.key.length + text.length <= widest ? line.key + text : undefined;
  }

  private lineOf(codec: ComponentCodec): ComponentLine | undefined {
    let line = this.lines.get(codec);
    if (line === undefined && !this.lines.has(codec)) this.lines.set(codec, (line = makeLine(codec)));
    return line;
  }
}

function makeLine(codec: ComponentCodec): ComponentLine | undefined {
  const fields: FieldLine[] = [];
  for (const info of codec.fields.values()) {
    const { type, field, name } = info;
    const isScalar = isScalarField(info);
    // Objects are compared with their default as JSON, and references are written by a codec.
    if (type.valueKind === "object" || type.valueKind === "entities") return undefined;
    fields.push({ info, key: printKeyName(name), initial: keptValue(info, field.initial), isScalar });
  }
  return codec.validate === undefined ? { key: printKeyName(codec.name), fields } : undefined;
}

/** Whether the values of a field are their own JSON. */
export function isScalarField({ codec, type }: FieldInfo): boolean {
  const isPlain = codec === undefined && type.toJson === undefined;
  return isPlain && ["number", "integer", "boolean", "string"].includes(type.valueKind);
}
