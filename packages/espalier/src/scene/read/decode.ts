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
import { verdictOn } from "../standard-schema.ts";
import { suggest } from "./nearest.ts";
import type { IdScope, SceneNode } from "./node.ts";
import type { Reading } from "./reading.ts";

export class Decoder {
  private readonly reading: Reading;
  /** Whether the values will be used more than once; those that entities must not share are then listed in `fresh`. */
  reused: boolean;
  /** Resolves ids in values; `undefined` for those of the outermost file. */
  scope: IdScope | undefined = undefined;
  private readonly defaults = new Map<ComponentCodec, JsonObject>();
  // The component that is being decoded.
  private node!: SceneNode;
  private codec!: ComponentCodec;
  private sound = true;
  private values: { [field: string]: unknown } = {};
  private isCopy = false;
  private shared = false;

  constructor(reading: Reading, reused: boolean) {
    this.reading = reading;
    this.reused = reused;
  }

  /** Decodes the components of a node. */
  decode(node: SceneNode): void {
    const { components } = node;
    if (!this.reused && this.isPlain(components)) {
      node.plain = this.reading.registry.codecs;
      node.inits = undefined;
      return;
    }
    node.inits = [];
    for (const name in components) this.component(node, name, components[name]);
  }

  /**
   * Whether everything is valid and can be given to the world as it is. Allocates nothing: objects of a hundred thousand entities
   * that exist before these are spawned burden the garbage collector.
   */
  private isPlain(components: JsonObject): boolean {
    const { codecs } = this.reading.registry;
    for (const name in components) {
      const codec = codecs.get(name);
      const json = components[name];
      if (codec === undefined || codec.validate !== undefined || !isJsonObject(json)) return false;
      for (const key in json) {
        const info = codec.fields.get(key);
        if (info === undefined || info.codec !== undefined || !info.type.isJson(json[key], info.field))
          return false;
      }
    }
    return true;
  }

  /**
   * Decodes one component of a node; its values come last in `inits`. `false` when it is not used.
   *
   * @param shared - Whether other code also holds parts of `json`.
   */
  component(node: SceneNode, name: string, json: Json, shared = this.reused): boolean {
    const codec = this.reading.registry.codecs.get(name);
    const { lenient, keepUnknown } = this.reading;
    if (codec === undefined) {
      this.unknown(node, name);
      if (lenient || keepUnknown) node.keep("components", name, json);
      return false;
    }
    this.node = node;
    this.codec = codec;
    this.shared = shared;
    this.sound = true;
    const { late, fresh } = node.rare;
    if (isJsonObject(json)) {
      this.fields(json);
      if (this.sound) this.validate(json, { late, fresh });
    } else {
      const found = json === null ? "null, which only removes a component of a prefab" : describeValue(json);
      this.wrong("scene/wrong-type", [], `${name} takes an object with its fields, got ${found}.`);
    }
    if (this.sound) {
      node.inits.push(initOf(codec.component, this.values));
    } else {
      if (lenient) node.keep("components", name, json);
      if (late !== node.rare.late || fresh !== node.rare.fresh) Object.assign(node.parts, { late, fresh });
    }
    return this.sound;
  }

  private fields(json: JsonObject): void {
    this.values = json;
    this.isCopy = false;
    for (const key in json) {
      const info = this.codec.fields.get(key);
      if (info === undefined) this.unknownField(key);
      else this.field(info, json[key]);
    }
  }

  private field(info: FieldInfo, json: Json): void {
    const { type, field, name, codec } = info;
    if (codec?.references === true) {
      this.late(info, json);
      delete this.copy()[name];
    } else if (codec !== undefined) {
      try {
        this.object(info, json, codec.read(json, noEntities));
      } catch (error) {
        this.wrongField("scene/invalid-value", info, `: ${reasonOf(error)}`);
      }
    } else if (type.valueKind === "object") {
      const complaint = field.validate?.(json);
      if (complaint !== undefined) this.wrongField("scene/invalid-value", info, ` ${complaint}.`);
      else if (typeof json === "object" && json !== null) this.object(info, json, json);
    } else if (type.isJson(json, field)) {
      return;
    } else if (type.valueKind === "entity") {
      if (typeof json === "string") this.late(info, json);
      else this.mismatch(info, json);
      setOwn(this.copy(), name, null);
    } else {
      const made = type.fromJson?.(json, field);
      if (made !== undefined) setOwn(this.copy(), name, made);
      else this.mismatch(info, json);
    }
  }

  /** A value that came with the text is used once; any other must be copied for each entity, unless shared storage holds it read-only. */
  private object(info: FieldInfo, json: Json, value: unknown): void {
    const { sharing } = this.codec.component;
    const held = sharing === undefined ? value : sharing.hold(value);
    if (held !== json) setOwn(this.copy(), info.name, held);
    if (this.shared && held === value) this.fresh(info, json);
  }

  private late(field: FieldInfo, json: Json): void {
    this.node.addLate({ codec: this.codec, field, json, scope: this.scope });
  }

  private fresh(field: FieldInfo, json: Json): void {
    this.node.addFresh({ at: this.node.inits.length, field, json });
  }

  /**
   * Validates the whole component, and decodes the result of the validator.
   *
   * @param before - The parts of the node that decoding adds to, as they were.
   */
  private validate(json: JsonObject, before: object): void {
    const { codec } = this;
    if (codec.validate === undefined) return;
    let defaults = this.defaults.get(codec);
    if (defaults === undefined) this.defaults.set(codec, (defaults = defaultJson(codec)));
    const whole = { ...defaults, ...json };
    const { complaints, value } = verdictOn(codec.validate, whole);
    for (const { message, path } of complaints) {
      this.wrong("scene/invalid-value", path, `${[codec.name, ...path].join(".")}: ${message}`);
    }
    if (complaints.length > 0 || value === whole) return;
    Object.assign(this.node.parts, before);
    this.fields(value);
  }

  // Values differ from the JSON only where they must: copying every component would double the cost of loading.
  private copy(): { [field: string]: unknown } {
    if (!this.isCopy) this.values = { ...this.values };
    this.isCopy = true;
    return this.values;
  }

  // Problems -----------------------------------------------------------------------------------------------------------

  private wrong(code: SceneProblemCode, steps: readonly JsonStep[], message: string): void {
    const { node, codec } = this;
    this.sound = false;
    this.reading.report.add(
      code,
      node.location("components", codec.name, ...steps),
      `${node.label}: ${message}`,
    );
  }

  private wrongField(code: SceneProblemCode, { name }: FieldInfo, message: string): void {
    this.wrong(code, [name], `${this.codec.name}.${name}${message}`);
  }

  private mismatch(info: FieldInfo, value: Json): void {
    const { takes, range, valueKind } = info.type;
    if (typeof value === "number" && range !== undefined) {
      const what = valueKind === "integer" ? " integers" : "";
      this.wrongField(
        "scene/out-of-range",
        info,
        ` holds${what} from ${info.field.min ?? range[0]} to ${range[1]}, got ${value}.`,
      );
      return;
    }
    const isNumber = typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value));
    const hint = range !== undefined && isNumber ? " Remove the quotes." : "";
    this.wrongField("scene/wrong-type", info, ` takes ${takes}, got ${describeValue(value)}.${hint}`);
  }

  private unknownField(key: string): void {
    const { node, codec } = this;
    this.sound = false;
    const help = () =>
      codec.fields.size === 0
        ? `${codec.name} is a tag and has none: write {}.`
        : suggest(key, codec.fields.keys(), `fields of ${codec.name}`);
    this.reading.report.add(
      "scene/unknown-field",
      node.keyLocation("components", codec.name, key),
      () => `${node.label}: ${codec.name} has no field ${describeValue(key)}. ${help()}`,
    );
  }

  private unknown(node: SceneNode, name: string): void {
    const location = node.keyLocation("components", name);
    if (reservedComponents.has(name)) {
      const instead = name === "Parent" ? '"parent": "its id" beside "components"' : '"children": [...]';
      this.reading.report.add(
        "scene/parent-component",
        location,
        `${node.label} has ${name} among its components. The parent of an entity is not a component: write ${instead}, or nest the entities.`,
      );
    } else if (!this.reading.keepUnknown) {
      this.reading.report.add(
        "scene/unknown-component",
        location,
        () =>
          `${node.label} has an unknown component ${describeValue(name)}. ${suggest(name, this.reading.registry.codecs.keys(), "registered components")}`,
      );
    }
  }
}

const noEntities: ReadContext = {
  entity() {
    throw new Error("it asks for an entity before there are any. Give its codec references: true.");
  },
};

/** The arguments of `spawn` for one more entity made from the node. */
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
