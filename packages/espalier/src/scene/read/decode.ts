/**
 * Components from JSON to values the world takes, with everything checked that can be checked before entities exist.
 */
import { type AnyInit, describeValue } from "../../ecs/index.ts";
import { initOf } from "../../ecs/internal.ts";
import { setOwn } from "../../history/internal.ts";
import { reasonOf } from "../arguments.ts";
import { type ComponentCodec, defaultJson, type FieldInfo, type ReadContext } from "../codec.ts";
import { copyValue } from "../copies/copy-value.ts";
import type { SceneProblemCode } from "../errors.ts";
import { reservedComponents } from "../file.ts";
import { isJsonObject, type Json, type JsonObject, type JsonStep } from "../json/json.ts";
import type { Registry } from "../registry.ts";
import { verdictOn } from "../standard-schema.ts";
import { suggest } from "./nearest.ts";
import type { IdScope, SceneNode } from "./node.ts";
import type { Report } from "./report.ts";

export interface DecodeOptions {
  /** Keep what cannot be used with the node, and go on. */
  readonly lenient: boolean;
  /** Keep components that are not registered, without a word. */
  readonly keepUnknown: boolean;
}

export class Decoder {
  private readonly registry: Registry;
  private readonly report: Report;
  private readonly options: DecodeOptions;
  /** The values will be used more than once, so what entities must not share is remembered in `fresh`. */
  reused: boolean;
  /** Where ids in values lead; nothing for those of the outermost file. */
  scope: IdScope | undefined = undefined;
  private readonly defaults = new Map<ComponentCodec, JsonObject>();
  // The component that is being decoded.
  private sound = true;
  private values: { [field: string]: unknown } = {};
  private isCopy = false;
  private shared = false;

  constructor(registry: Registry, report: Report, options: DecodeOptions, reused: boolean) {
    this.registry = registry;
    this.report = report;
    this.options = options;
    this.reused = reused;
  }

  /** Fills in what the node's components come to. */
  decode(node: SceneNode): void {
    const { components } = node;
    if (!this.reused && this.isPlain(components)) {
      node.plain = this.registry.codecs;
      node.inits = undefined;
      return;
    }
    node.inits = [];
    for (const name in components) this.component(node, name, components[name]);
  }

  /**
   * Whether everything is sound and can be given to the world as it is. Makes nothing: what a hundred thousand entities
   * make before they are spawned, the garbage collector must carry around.
   */
  private isPlain(components: JsonObject): boolean {
    const { codecs } = this.registry;
    for (const name in components) {
      const codec = codecs.get(name);
      const json = components[name];
      if (codec === undefined || codec.validate !== undefined || !isJsonObject(json)) return false;
      for (const key in json) {
        const info = codec.fields.get(key);
        if (info === undefined || !isPlainValue(info, json[key])) return false;
      }
    }
    return true;
  }

  /**
   * Decodes one component of a node; its values come last in `inits`. `false` when it is not used.
   *
   * @param shared - Somebody else holds parts of `json` too.
   */
  component(node: SceneNode, name: string, json: Json, shared = this.reused): boolean {
    this.shared = shared;
    const codec = this.registry.codecs.get(name);
    if (codec === undefined) {
      this.unknown(node, name, json);
      return false;
    }
    if (!isJsonObject(json)) {
      const found = json === null ? "null, which only removes a component of a prefab" : describeValue(json);
      this.wrong(
        node,
        codec,
        "scene/wrong-type",
        [],
        `${name} takes an object with its fields, got ${found}.`,
      );
      if (this.options.lenient) node.keep("components", name, json);
      return false;
    }
    this.sound = true;
    this.isCopy = false;
    this.values = json;
    const at = node.inits.length;
    const { late, fresh } = node.rare;
    const before = { late, fresh };
    this.fields(node, codec, json, at);
    if (codec.validate !== undefined && this.sound) this.validate(node, codec, json, at, before);
    if (!this.sound) {
      if (this.options.lenient) node.keep("components", name, json);
      Object.assign(node.parts, before);
      return false;
    }
    node.inits.push(initOf(codec.component, this.values));
    return true;
  }

  private fields(node: SceneNode, codec: ComponentCodec, json: JsonObject, at: number): void {
    for (const key in json) {
      const info = codec.fields.get(key);
      if (info === undefined) this.unknownField(node, codec, key);
      else this.field(node, codec, info, json[key], at);
    }
  }

  private field(node: SceneNode, codec: ComponentCodec, info: FieldInfo, value: Json, at: number): void {
    if (info.codec !== undefined) {
      this.coded(node, codec, info, value, at);
      return;
    }
    const { type, field, name } = info;
    if (type.valueKind === "object") this.object(node, codec, info, value, at);
    else if (type.isJson(value, field)) return;
    else if (type.valueKind === "entity") {
      if (typeof value === "string") node.addLate({ codec, field: info, json: value, scope: this.scope });
      else this.mismatch(node, codec, info, value);
      this.set(name, null);
    } else {
      const made = type.fromJson?.(value, field);
      if (made !== undefined) this.set(name, made);
      else if (typeof value === "number" && type.range !== undefined) {
        this.outOfRange(node, codec, info, value, type.range);
      } else this.mismatch(node, codec, info, value);
    }
  }

  private object(node: SceneNode, codec: ComponentCodec, info: FieldInfo, value: Json, at: number): void {
    const complaint = info.field.validate?.(value);
    if (complaint !== undefined) {
      this.wrong(node, codec, "scene/invalid-value", [info.name], `${codec.name}.${info.name} ${complaint}.`);
      return;
    }
    // A value that came with the text belongs to nobody yet; any other must not be shared.
    if (this.shared && typeof value === "object" && value !== null) {
      node.addFresh({ at, field: info, json: value });
    }
  }

  private coded(node: SceneNode, codec: ComponentCodec, info: FieldInfo, json: Json, at: number): void {
    if (info.codec?.references === true) {
      node.addLate({ codec, field: info, json, scope: this.scope });
      this.drop(info.name);
      return;
    }
    try {
      this.set(info.name, info.codec?.read(json, noEntities));
      if (this.shared) node.addFresh({ at, field: info, json });
    } catch (error) {
      const why = reasonOf(error);
      this.wrong(node, codec, "scene/invalid-value", [info.name], `${codec.name}.${info.name}: ${why}`);
    }
  }

  /**
   * Asks the validator about the whole component, and decodes what it made of it.
   *
   * @param before - The parts of the node that decoding adds to, as they were.
   */
  private validate(
    node: SceneNode,
    codec: ComponentCodec,
    json: JsonObject,
    at: number,
    before: object,
  ): void {
    if (codec.validate === undefined) return;
    const whole = { ...this.defaultsOf(codec), ...json };
    const { complaints, value } = verdictOn(codec.validate, whole);
    for (const { message, path } of complaints) {
      const where = path.length === 0 ? codec.name : `${codec.name}.${path.join(".")}`;
      this.wrong(node, codec, "scene/invalid-value", path, `${where}: ${message}`);
    }
    if (complaints.length > 0 || value === whole) return;
    Object.assign(node.parts, before);
    this.values = value;
    this.isCopy = false;
    this.fields(node, codec, value, at);
  }

  /** The fields as files hold them when nobody set them. */
  private defaultsOf(codec: ComponentCodec): JsonObject {
    let defaults = this.defaults.get(codec);
    if (defaults === undefined) this.defaults.set(codec, (defaults = defaultJson(codec)));
    return defaults;
  }

  // Values differ from the JSON only where they must: copying every component would double the cost of loading.
  private copy(): { [field: string]: unknown } {
    if (!this.isCopy) {
      this.values = { ...this.values };
      this.isCopy = true;
    }
    return this.values;
  }

  private set(field: string, value: unknown): void {
    setOwn(this.copy(), field, value);
  }

  private drop(field: string): void {
    delete this.copy()[field];
  }

  // Problems -----------------------------------------------------------------------------------------------------------

  private wrong(
    node: SceneNode,
    codec: ComponentCodec,
    code: SceneProblemCode,
    steps: readonly JsonStep[],
    message: string,
  ): void {
    this.sound = false;
    this.report.add(code, node.place("components", codec.name, ...steps), `${node.label}: ${message}`);
  }

  private mismatch(node: SceneNode, codec: ComponentCodec, info: FieldInfo, value: Json): void {
    const { takes, range } = info.type;
    const hint =
      range !== undefined &&
      typeof value === "string" &&
      value.trim() !== "" &&
      Number.isFinite(Number(value))
        ? " Remove the quotes."
        : "";
    this.wrong(
      node,
      codec,
      "scene/wrong-type",
      [info.name],
      `${codec.name}.${info.name} takes ${takes}, got ${describeValue(value)}.${hint}`,
    );
  }

  private outOfRange(
    node: SceneNode,
    codec: ComponentCodec,
    info: FieldInfo,
    value: number,
    [low, high]: readonly [number, number],
  ): void {
    const what = info.type.valueKind === "integer" ? " integers" : "";
    this.wrong(
      node,
      codec,
      "scene/out-of-range",
      [info.name],
      `${codec.name}.${info.name} holds${what} from ${low} to ${high}, got ${value}.`,
    );
  }

  private unknownField(node: SceneNode, codec: ComponentCodec, key: string): void {
    this.sound = false;
    const help = () =>
      codec.fields.size === 0
        ? `${codec.name} is a tag and has none: write {}.`
        : suggest(key, codec.fields.keys(), `fields of ${codec.name}`);
    this.report.add(
      "scene/unknown-field",
      node.keyPlace("components", codec.name, key),
      () => `${node.label}: ${codec.name} has no field ${JSON.stringify(key)}. ${help()}`,
    );
  }

  private unknown(node: SceneNode, name: string, json: Json): void {
    const place = node.keyPlace("components", name);
    if (reservedComponents.has(name)) {
      const instead = name === "Parent" ? '"parent": "its id" beside "components"' : '"children": [...]';
      this.report.add(
        "scene/parent-component",
        place,
        `${node.label} has ${name} among its components. Who is whose parent is not a component: write ${instead}, or nest the entities.`,
      );
    } else if (!this.options.keepUnknown) {
      this.report.add(
        "scene/unknown-component",
        place,
        () =>
          `${node.label} has an unknown component ${JSON.stringify(name)}. ${suggest(name, this.registry.codecs.keys(), "registered components")}`,
      );
    }
    if (this.options.lenient || this.options.keepUnknown) node.keep("components", name, json);
  }
}

function isPlainValue(info: FieldInfo, value: Json): boolean {
  if (info.codec !== undefined) return false;
  return info.type.isJson(value, info.field);
}

const noEntities: ReadContext = {
  entity() {
    throw new Error("it asks for an entity before there are any. Give its codec references: true.");
  },
};

/** What `spawn` takes for one more entity made from the node. */
export function initsOf(node: SceneNode): AnyInit[] {
  if (node.plain !== undefined) return node.plainInits();
  if (node.rare.fresh.length === 0) return node.inits;
  const inits = node.inits.map((init) => initOf(init.component, { ...init.values }));
  for (const { at, field, json } of node.rare.fresh) {
    const value = field.codec === undefined ? copyValue(json) : field.codec.read(json, noEntities);
    setOwn(inits[at].values as { [field: string]: unknown }, field.name, value);
  }
  return inits;
}
