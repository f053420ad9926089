/**
 * The components that a node of Godot becomes.
 */
import { isLayer, isPlaced, isPlain } from "./godot-types.ts";
import { type Components, differing, emptyRecord, type Json, short } from "./imported.ts";
import type { GodotValue, Section } from "./tscn.ts";

export interface NodeContext {
  readonly yUp: boolean;
  /** Whether what this component hands down does not reach it, although it is there above. */
  isCutOff(component: string): boolean;
  toJson(value: GodotValue): Json;
  /** Told everything that has no place in a scene. */
  lost(what: string, kept?: boolean): void;
}

type Fields = { [field: string]: Json };

/** Attributes of nodes that are told by the scene itself, or mean something only to the editor of Godot. */
const knownAttributes = new Set([
  "name",
  "type",
  "parent",
  "parent_id_path",
  "instance",
  "index",
  "owner",
  "owner_uid_path",
  "unique_id",
]);

export function componentsOf({ attributes, properties: given }: Section, context: NodeContext): Components {
  const type = String(attributes.type ?? "");
  // Of an instance, or inside one, the file says only what differs from it, and that may be a default.
  const isWhole = type !== "";
  const properties = new Properties(given);
  const components: Components = {};
  const transform = transformOf(properties, isLayer(type) ? "offset" : "position", isWhole, context);
  if (transform !== undefined || isPlaced(type)) components.Transform2D = transform ?? {};
  // The root of an instance may have a place that this file does not speak of.
  const isShown = components.Transform2D !== undefined || attributes.instance !== undefined;
  if (isShown) {
    const topLevel = properties.takeBoolean("top_level");
    if (isLayer(type) || context.isCutOff("Transform2D")) components.InheritTransform = { topLevel: true };
    else if (topLevel !== undefined) components.InheritTransform = { topLevel };
  }
  const visible = properties.takeBoolean("visible");
  if (visible === false) components.Visibility = { mode: "hidden" };
  else if (isShown && context.isCutOff("Visibility")) components.Visibility = { mode: "visible" };
  else if (visible === true && !isWhole) components.Visibility = { mode: "inherit" };
  const z = properties.takeNumber("z_index");
  const zRelative = properties.takeBoolean("z_as_relative");
  if (isShown && context.isCutOff("ZIndex")) components.ZIndex = { z: z ?? 0, zRelative: false };
  else if (z !== undefined || zRelative !== undefined) components.ZIndex = defined({ z, zRelative });
  const kept = keptOf(type, attributes, properties.rest(), context);
  if (Object.keys(kept).length > 0) components.Props = { values: { godot: kept } };
  return components;
}

/** What a node has besides. */
function keptOf(
  type: string,
  attributes: Section["attributes"],
  properties: Section["properties"],
  context: NodeContext,
): Fields {
  const kept: Fields = emptyRecord();
  if (type !== "" && !isPlain(type)) {
    kept.type = type;
    context.lost(`type ${type}`, true);
  }
  const further = Object.entries(attributes).filter(([name]) => !knownAttributes.has(name));
  for (const [name, value] of [...further, ...Object.entries(properties)]) {
    kept[name] = context.toJson(value);
    context.lost(name, true);
  }
  if (attributes.index !== undefined && attributes.type !== undefined) {
    context.lost(`index ${attributes.index} among the nodes of an instance`);
  }
  return kept;
}

/** Nothing when the node says nothing about its place. */
function transformOf(
  properties: Properties,
  placeName: string,
  isWhole: boolean,
  { yUp, lost }: NodeContext,
): Fields | undefined {
  const sign = yUp ? -1 : 1;
  const place = properties.takePair(placeName);
  const size = properties.takePair("scale");
  const angle = properties.takeNumber("rotation");
  const leaning = properties.takeNumber("skew");
  if (place === undefined && size === undefined && angle === undefined && leaning === undefined)
    return undefined;
  const [x, y] = place ?? [0, 0];
  const [sx, sy] = size ?? [1, 1];
  // Godot leans the y axis by an angle; here it is a factor along x, so the axis gets shorter by the cosine.
  const cos = Math.cos(leaning ?? 0);
  const isFlat = Math.abs(cos) < 1e-6;
  if (isFlat) lost(`skew ${leaning}, which makes the node flat`);
  else if (!isWhole && leaning !== undefined && size === undefined)
    lost(`scale of the instance, which the skew ${leaning} needs and this file does not say; taken as 1`);
  const position = { x: short(x), y: short(y * sign) };
  const scale = { scaleX: short(sx), scaleY: short(sy * cos) };
  const turn = { rotation: short((angle ?? 0) * sign) };
  const lean = { skew: short(isFlat ? 0 : -Math.tan(leaning ?? 0) * sign) };
  if (isWhole) return differing({ ...position, ...turn, ...scale, ...lean }, { scaleX: 1, scaleY: 1 });
  return {
    ...(place === undefined ? {} : position),
    ...(angle === undefined ? {} : turn),
    ...(size === undefined && leaning === undefined ? {} : scale),
    ...(leaning === undefined ? {} : lean),
  };
}

/** The properties of a node. What is taken must be of the form expected; all else stays and is kept as it is. */
class Properties {
  private readonly left: { [name: string]: GodotValue };

  constructor(given: Section["properties"]) {
    this.left = Object.assign(emptyRecord<GodotValue>(), given);
  }

  rest(): Section["properties"] {
    return this.left;
  }

  takeNumber(name: string): number | undefined {
    const value = this.left[name];
    return typeof value === "number" ? this.took(name, value) : undefined;
  }

  takeBoolean(name: string): boolean | undefined {
    const value = this.left[name];
    return typeof value === "boolean" ? this.took(name, value) : undefined;
  }

  takePair(name: string): readonly [number, number] | undefined {
    const pair = (Object(this.left[name]) as { Vector2?: GodotValue }).Vector2;
    if (!Array.isArray(pair)) return undefined;
    const [x, y] = pair as readonly GodotValue[];
    return typeof x === "number" && typeof y === "number" ? this.took(name, [x, y]) : undefined;
  }

  private took<Value>(name: string, value: Value): Value {
    delete this.left[name];
    return value;
  }
}

function defined(fields: { readonly [field: string]: Json | undefined }): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
}
