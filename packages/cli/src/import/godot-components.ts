/**
 * The components that a node of Godot becomes.
 */
import { transform3DOf } from "./godot-3d.ts";
import { type ControlRect, controlTransform } from "./godot-controls.ts";
import { Properties } from "./godot-properties.ts";
import {
  is2D,
  isControl,
  isHiddenAtFirst,
  isLayer,
  isPlain,
  isSpatial,
  isWindow,
  lacksTransform,
} from "./godot-types.ts";
import { type Components, differing, emptyRecord, type Json, short } from "./imported.ts";
import type { GodotValue, Section } from "./tscn.ts";

export interface NodeContext {
  readonly yUp: boolean;
  /** The type of the node, even if another file determines it; empty if unknown. */
  readonly type: string;
  /** Whether the values of the file are merged into those of a prefab. */
  readonly isMerged: boolean;
  /** The type of the parent; empty if there is none or it is unknown. */
  readonly parentType: string;
  /** For a widget in an instance, its rectangle in the original scene. */
  readonly rect: ControlRect | undefined;
  /** For an instance, whether the root of its scene is hidden there. */
  readonly isHidden: boolean;
  toJson(value: GodotValue): Json;
  /** Called with everything that cannot be expressed in a scene. */
  lost(what: string, kept?: boolean): void;
}

type Fields = { [field: string]: Json };

/** Attributes of nodes that the scene itself expresses, or that matter only to the editor of Godot. */
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
  const { type } = context;
  // For an instance, or inside one, the file has only differences, which may be defaults.
  const isWhole = attributes.type !== undefined;
  const properties = new Properties(given);
  const components: Components = {};
  addTransform(components, properties, type, isWhole, context);
  const { Transform2D, Transform3D, RectTransform } = components;
  // The root of an instance may have a transform that this file does not mention.
  const isInstance = attributes.instance !== undefined;
  const hasTransform = is2D(type) || isSpatial(type) || isControl(type);
  const isShown =
    (Transform2D ?? Transform3D ?? RectTransform) !== undefined ||
    (isInstance && type === "") ||
    (!isWhole && hasTransform);
  // Here, inherited transforms pass through nodes without a transform; in Godot they end there.
  const endsAbove = lacksTransform(context.parentType);
  const isCutOff = isShown && (endsAbove || isLayer(type));
  const isSeenApart = (isCutOff && !isWindow(context.parentType)) || isWindow(type);
  const topLevel = isShown ? properties.takeBoolean("top_level") : undefined;
  // A node inside an instance has the same parents there: only the values in this file are new.
  const isPut = isWhole || isInstance;
  if (isCutOff) {
    if (isPut) components.InheritTransform = { topLevel: true };
  } else if (topLevel !== undefined) components.InheritTransform = { topLevel };
  const visible = properties.takeBoolean("visible") ?? (isWhole && isHiddenAtFirst(type) ? false : undefined);
  const isHidden = visible === undefined && isInstance && context.isHidden;
  if (visible === false) components.Visibility = { mode: "hidden" };
  else if (isSeenApart && (isPut || visible === true) && !isHidden)
    components.Visibility = { mode: "visible" };
  else if (visible === true && !isWhole) components.Visibility = { mode: "inherit" };
  const z = properties.takeInteger("z_index");
  const zRelative = properties.takeBoolean("z_as_relative");
  const isSaid = z !== undefined || zRelative !== undefined;
  if (isCutOff && !isSpatial(type)) {
    if (isPut || isSaid) components.ZIndex = defined({ z: isWhole ? (z ?? 0) : z, zRelative: false });
  } else if (isSaid) components.ZIndex = defined({ z, zRelative });
  const kept = keptOf(isWhole ? type : "", attributes, properties.rest(), context);
  if (Object.keys(kept).length > 0) components.Props = { values: { godot: kept } };
  return components;
}

/** Adds the transform of the node: in 2D, in 3D, or as a rectangle inside another. */
function addTransform(
  components: Components,
  properties: Properties,
  type: string,
  isWhole: boolean,
  context: NodeContext,
): void {
  if (isSpatial(type)) {
    const space = transform3DOf(properties, isWhole, (what) => context.lost(what));
    if (space !== undefined || isWhole) components.Transform3D = space ?? {};
    return;
  }
  const control = isControl(type)
    ? controlTransform(properties, isWhole ? undefined : context.rect, isWhole, context.yUp ? -1 : 1)
    : undefined;
  const name = isLayer(type) ? "offset" : "position";
  const transform = transformOf(properties, name, isWhole, context, control?.corner);
  if (transform !== undefined || (isWhole && is2D(type))) components.Transform2D = transform ?? {};
  if (control?.rect !== undefined) components.RectTransform = control.rect;
}

/** The other data of a node. */
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
    const json = context.toJson(value);
    // A resource replaces another as a whole.
    const isObject = typeof json === "object" && json !== null && !Array.isArray(json);
    kept[name] = context.isMerged && isObject ? { $replace: json } : json;
    context.lost(name, true);
  }
  return kept;
}

/** `undefined` when the node does not set its transform. */
function transformOf(
  properties: Properties,
  positionName: string,
  isWhole: boolean,
  { yUp, lost }: NodeContext,
  corner: readonly [number, number] | undefined,
): Fields | undefined {
  const sign = yUp ? -1 : 1;
  const pivot = properties.takePair("pivot_offset");
  const at = properties.takePair(positionName) ?? corner;
  const size = properties.takePair("scale");
  const angle = properties.takeNumber("rotation");
  const leaning = properties.takeNumber("skew");
  const corrected = pivot === undefined ? at : aroundPivot(at ?? [0, 0], pivot, angle ?? 0, size ?? [1, 1]);
  if (corrected === undefined && size === undefined && angle === undefined && leaning === undefined)
    return undefined;
  const [x, y] = corrected ?? [0, 0];
  const [sx, sy] = size ?? [1, 1];
  // Godot skews the y axis by an angle; here it is a factor along x, so the axis gets shorter by the cosine.
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
    ...(corrected === undefined ? {} : position),
    ...(angle === undefined ? {} : turn),
    ...(size === undefined && leaning === undefined ? {} : scale),
    ...(leaning === undefined ? {} : lean),
  };
}

/** The position of the corner of a widget that is rotated and scaled around a pivot. */
function aroundPivot(
  [x, y]: readonly [number, number],
  [px, py]: readonly [number, number],
  angle: number,
  [sx, sy]: readonly [number, number],
): readonly [number, number] {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return [x + px - (cos * px * sx - sin * py * sy), y + py - (sin * px * sx + cos * py * sy)];
}

function defined(fields: { readonly [field: string]: Json | undefined }): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
}
