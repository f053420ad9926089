/**
 * The text of a Godot scene: values as Godot writes them, and the files and resources that they refer to.
 */
import type { Json } from "../import/imported.ts";
import { isPlainKey, unquotedKey } from "../import/tscn.ts";

/** How deeply values may be nested. */
const deepest = 200;

export class GodotText {
  private readonly external: string[] = [];
  private readonly externalIds = new Map<string, string>();
  private readonly internal: string[] = [];
  private readonly internalIds = new Map<string, string>();
  private readonly nodes: string[] = [];

  /** Adds a node. @throws RangeError for a value that is nested too deep. */
  node(
    attributes: readonly (readonly [string, string])[],
    properties: readonly (readonly [string, string])[],
  ): void {
    const head = attributes.map(([name, text]) => ` ${name}=${text}`).join("");
    this.nodes.push([`[node${head}]`, ...properties.map(([name, text]) => `${name} = ${text}`)].join("\n"));
  }

  /** The id of a file that the scene uses. */
  file(path: string, type = typeOf(path)): string {
    const known = this.externalIds.get(path);
    if (known !== undefined) return known;
    const id = String(this.external.length + 1);
    this.externalIds.set(path, id);
    this.external.push(`[ext_resource type=${quoted(type)} path=${quoted(path)} id=${quoted(id)}]`);
    return id;
  }

  value(value: Json, depth = 0): string {
    if (depth > deepest) throw new RangeError("nested too deep");
    if (value === null || typeof value === "boolean") return String(value);
    if (typeof value === "number") return numberText(value);
    if (typeof value === "string") return numberWords[value] ?? quoted(value);
    if (Array.isArray(value)) return `[${value.map((item) => this.value(item, depth + 1)).join(", ")}]`;
    const entries = Object.entries(value as { readonly [key: string]: Json });
    const [[name = "", content = null] = []] = entries;
    if (entries.length === 1) {
      if (name === "$replace") return this.value(content, depth + 1);
      if (name === "ExtResource" && typeof content === "string")
        return `ExtResource(${quoted(this.file(content))})`;
      if (name === "SubResource" && isRecord(content))
        return `SubResource(${quoted(this.resource(content, depth))})`;
      if (Array.isArray(content) && constructors.test(name))
        return `${this.named(name)}(${content.map((item) => this.value(item, depth + 1)).join(", ")})`;
    }
    const pairs = entries.map(([key, item]) => `${this.key(key)}: ${this.value(item, depth + 1)}`);
    return `{${pairs.join(", ")}}`;
  }

  /** A key of a dictionary: keys that are not strings are returned by the importer as they were written. */
  private key(key: string): string {
    if (isPlainKey(key)) return quoted(key);
    const text = unquotedKey(key);
    return text === undefined ? (numberWords[key] ?? this.named(key)) : quoted(text);
  }

  /** A name or a key with the paths of files in it replaced by their ids. */
  private named(name: string): string {
    return name.replace(
      /ExtResource\("([^"]*)"\)/g,
      (_, path: string) => `ExtResource(${quoted(this.file(path))})`,
    );
  }

  /** The id of a resource inside the scene. Equal content is one resource. */
  private resource({ type, ...content }: { readonly [name: string]: Json }, depth: number): string {
    // Nested resources come first, as Godot requires.
    const lines = Object.entries(content).map(
      ([name, item]) => `${propertyName(name)} = ${this.value(item, depth + 1)}`,
    );
    const kind = typeof type === "string" ? type : "Resource";
    const body = [`type=${quoted(kind)}`, ...lines].join("\n");
    const known = this.internalIds.get(body);
    if (known !== undefined) return known;
    const id = `${kind}_${this.internal.length + 1}`;
    this.internalIds.set(body, id);
    this.internal.push([`[sub_resource type=${quoted(kind)} id=${quoted(id)}]`, ...lines].join("\n"));
    return id;
  }

  toString(): string {
    const steps = this.external.length + this.internal.length;
    const head = `[gd_scene${steps === 0 ? "" : ` load_steps=${steps + 1}`} format=3]`;
    const files = this.external.length === 0 ? [] : [this.external.join("\n")];
    return `${[head, ...files, ...this.internal, ...this.nodes].join("\n\n")}\n`;
  }
}

/** Types of Godot that are written as calls. An object with another key is a dictionary. */
const constructors =
  /^(Vector[234]i?|Rect2i?|Transform(2D|3D)?|Plane|Quat|Quaternion|AABB|Basis|Projection|Color|NodePath|RID|Callable|Signal|Object|StringName|ExtResource|SubResource|\w+Array|(Array|Dictionary)\[.+\])$/;

/** Words for numbers that JSON lacks, as the importer names them. */
const numberWords: { readonly [text: string]: string } = {
  __proto__: null as never,
  Infinity: "inf",
  "-Infinity": "-inf",
  NaN: "nan",
};

export function numberText(value: number): string {
  // A number with a decimal point is a float in Godot, one without an integer; both fit where floats are wanted.
  return String(value).replace(/^(-?\d+)e/, "$1.0e");
}

export function quoted(text: string): string {
  return `"${text.replace(/\\/g, "\\\\").replace(/"/g, '\\"')}"`;
}

export function propertyName(name: string): string {
  return /^[\w/.:-]+$/.test(name) ? name : quoted(name);
}

function isRecord(value: Json): value is { readonly [name: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const types: { readonly [ending: string]: string } = {
  gd: "Script",
  cs: "Script",
  tscn: "PackedScene",
  scn: "PackedScene",
  glb: "PackedScene",
  gltf: "PackedScene",
  png: "Texture2D",
  jpg: "Texture2D",
  jpeg: "Texture2D",
  webp: "Texture2D",
  svg: "Texture2D",
  wav: "AudioStream",
  ogg: "AudioStream",
  mp3: "AudioStream",
  ttf: "FontFile",
  otf: "FontFile",
  gdshader: "Shader",
};

/** The type of a file, which an import does not keep, by its extension. */
function typeOf(path: string): string {
  return types[path.slice(path.lastIndexOf(".") + 1).toLowerCase()] ?? "Resource";
}
