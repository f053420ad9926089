/**
 * The values of components as JSON.
 */
import { type AnyComponent, type Component, type Entity, indexOf, type Schema } from "../../ecs/index.ts";
import { stateOf } from "../../ecs/internal.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";
import { ownOf, setOwn } from "../../history/internal.ts";
import {
  type ComponentCodec,
  type FieldInfo,
  keptValue,
  type WriteContext,
  writeDefault,
  writeField,
} from "../codec.ts";
import type { Json, JsonObject } from "../json/json.ts";
import { equalJson } from "../json/values.ts";
import { SceneMember } from "../member.ts";
import type { SceneNode } from "../read/node.ts";
import type { Registry } from "../registry.ts";
import { type Complaint, verdictOn } from "../standard-schema.ts";
import { isScalarField } from "./component-line.ts";

type Values = { readonly [field: string]: unknown };

/** The error of a validator for a component to be written. */
export class InvalidComponent extends Error {
  readonly path: string;
  constructor({ message, path }: Complaint) {
    super(message);
    this.path = path.join(".");
  }
}

export class ComponentWriter {
  readonly registry: Registry;
  /** The field that is being written, for messages. */
  field: FieldInfo | undefined = undefined;
  private readonly tree: Hierarchy;
  /** By archetype: the codecs of its components in file order, and components without a codec. */
  private readonly byArchetype = new Map<
    unknown,
    { codecs: ComponentCodec[]; unregistered: AnyComponent[] }
  >();
  private readonly defaults = new Map<FieldInfo, Json>();
  private readonly scalars = new Map<SceneNode, Map<ComponentCodec, ReadonlyMap<FieldInfo, unknown>>>();

  constructor(tree: Hierarchy, registry: Registry) {
    this.tree = tree;
    this.registry = registry;
  }

  /** The codecs of an entity's components. */
  codecsOf(entity: Entity): readonly ComponentCodec[] {
    return this.componentsOf(entity).codecs;
  }

  /** Components of an entity that are neither registered nor transient nor reserved. */
  unregisteredOf(entity: Entity): readonly AnyComponent[] {
    return this.componentsOf(entity).unregistered;
  }

  valuesOf(entity: Entity, codec: ComponentCodec): Values {
    return this.tree.world.get(entity, codec.component as Component<Schema>) as Values;
  }

  /** The JSON of the fields that differ from their defaults; of all, if `defaults`. */
  write(
    values: Values,
    codec: ComponentCodec,
    context: WriteContext,
    defaults: boolean,
    onError: (error: unknown) => void,
  ): { [field: string]: Json } {
    const json: { [field: string]: Json } = {};
    const valid =
      codec.validate === undefined ? undefined : (this.validated(values, codec, context, onError) ?? {});
    for (const info of codec.fields.values()) {
      const value = values[info.name];
      if (valid === undefined && !defaults && isPlainDefault(info, value)) continue;
      this.field = info;
      try {
        const written = valid === undefined ? writeField(info, value, context) : ownOf(valid, info.name);
        if (written === undefined) continue;
        const mayBeDefault = !defaults && (valid !== undefined || isHeld(info));
        if (!mayBeDefault || !equalJson(written, this.defaultOf(info))) setOwn(json, info.name, written);
      } catch (error) {
        onError(error);
      }
    }
    this.field = undefined;
    return json;
  }

  /**
   * Reports what the validator of a component finds wrong with its values, in the form of files. Returns its
   * result; `undefined` if there is no validator.
   */
  validated(
    values: Values,
    codec: ComponentCodec,
    context: WriteContext,
    onError: (error: unknown) => void,
  ): JsonObject | undefined {
    const whole: { [field: string]: Json } = {};
    let isWhole = true;
    for (const info of codec.fields.values()) {
      this.field = info;
      try {
        setOwn(whole, info.name, writeField(info, values[info.name], context));
      } catch (error) {
        isWhole = false;
        onError(error);
      }
    }
    this.field = undefined;
    if (!isWhole || codec.validate === undefined) return undefined;
    const { complaints, value } = verdictOn(codec.validate, whole);
    for (const complaint of complaints) onError(new InvalidComponent(complaint));
    return complaints.length > 0 ? undefined : value;
  }

  /** The JSON of a field that was never set. */
  defaultOf(info: FieldInfo): Json {
    let json = this.defaults.get(info);
    if (json === undefined) {
      json = writeDefault(info, { idOf: () => null });
      this.defaults.set(info, json);
    }
    return json;
  }

  /**
   * The field values of a component in every new instance of a prefab's entity, where the value is its own JSON: an equal value needs no
   * further comparison.
   *
   * @param at - The index of the component among the inits of the node.
   */
  scalarsOf(node: SceneNode, at: number, codec: ComponentCodec): ReadonlyMap<FieldInfo, unknown> {
    let byCodec = this.scalars.get(node);
    if (byCodec === undefined) this.scalars.set(node, (byCodec = new Map()));
    let found = byCodec.get(codec);
    if (found === undefined) byCodec.set(codec, (found = findScalars(node, at, codec)));
    return found;
  }

  private componentsOf(entity: Entity): { codecs: ComponentCodec[]; unregistered: AnyComponent[] } {
    const archetype = stateOf(this.tree.world).archetypeAt(indexOf(entity));
    let found = this.byArchetype.get(archetype);
    if (found !== undefined) return found;
    const { byComponent, transient } = this.registry;
    found = { codecs: [], unregistered: [] };
    for (const { component } of archetype?.stores ?? []) {
      const codec = byComponent.get(component);
      if (codec !== undefined) found.codecs.push(codec);
      else if (component.reserved === undefined && component !== SceneMember && !transient.has(component))
        found.unregistered.push(component);
    }
    found.codecs.sort((a, b) => a.rank - b.rank);
    this.byArchetype.set(archetype, found);
    return found;
  }
}

function findScalars(node: SceneNode, at: number, codec: ComponentCodec): ReadonlyMap<FieldInfo, unknown> {
  const scalars = new Map<FieldInfo, unknown>();
  const values = node.inits[at].values as Values | undefined;
  for (const info of codec.fields.values()) {
    if (!isScalarField(info) || node.rare.late.some((late) => late.codec === codec && late.field === info))
      continue;
    const value = keptValue(info, ownOf(values, info.name) ?? info.field.initial);
    if (typeof value !== "number" || Number.isFinite(value)) scalars.set(info, value);
  }
  return scalars;
}

/** Whether the written value may equal the default although the value does not. */
function isHeld(info: FieldInfo): boolean {
  return ["object", "entity", "entities"].includes(info.type.valueKind);
}

function isPlainDefault(info: FieldInfo, value: unknown): boolean {
  if (info.type.valueKind === "object" || info.type.valueKind === "entities") return false;
  return Object.is(value, keptValue(info, info.field.initial));
}
