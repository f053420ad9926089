/**
 * From the names in a clip to entities and components.
 */
import {
  type Component,
  describeValue,
  type Entity,
  fieldTypeOf,
  nearestName,
  type Schema,
} from "../ecs/index.ts";
import { type Hierarchy, InvalidPathError } from "../hierarchy/index.ts";
import { isColorField } from "../render/index.ts";
import type { EmitTrack, KeyframeClip, KeyframeTrack, ValueTrack } from "./keyframe-clip.ts";
import type { PlayableClip } from "./play-clip.ts";
import type { Mixing } from "./sample-track.ts";

/** A track of a target. */
export interface BoundTrack {
  readonly track: ValueTrack;
  readonly mixing: Mixing;
  /** A key that is equal for tracks of two clips that write the same field. */
  readonly key: string;
}

/** The tracks of one component of one entity: they are written together. */
export interface BoundTarget {
  readonly target: Entity;
  readonly component: Component<Schema>;
  readonly tracks: BoundTrack[];
  /** The written values by field: the same object in each step. */
  readonly values: { [field: string]: number | string | boolean };
}

/** The result of following a path. */
interface FoundPath {
  readonly path: string;
  readonly target: Entity;
  /** The entities whose names form the path, from the target upwards, and these names: renaming one changes the result. */
  readonly way: readonly Entity[];
  readonly names: readonly (string | undefined)[];
}

/** A clip bound to an entity. */
export interface BoundClip {
  readonly clip: KeyframeClip;
  readonly entity: Entity;
  /** The version of the tree for which the targets were last verified. */
  version: number;
  readonly paths: readonly FoundPath[];
  readonly targets: readonly BoundTarget[];
  /** Every track by its key, and how many could be bound. */
  readonly byKey: ReadonlyMap<string, BoundTrack>;
  readonly count: number;
  readonly emits: readonly { readonly target: Entity; readonly times: PlayableClip }[];
}

/**
 * Finds the targets of a clip. Missing ones are reported, and left out.
 *
 * @param report - Called for each track without a target, with the reason as a sentence.
 */
export function bindClip(
  tree: Hierarchy,
  entity: Entity,
  clip: KeyframeClip,
  report: (track: KeyframeTrack, why: string) => void,
): BoundClip {
  const targets: BoundTarget[] = [];
  const paths = new Map<string, FoundPath>();
  const byKey = new Map<string, BoundTrack>();
  let count = 0;
  const emits: { target: Entity; times: PlayableClip }[] = [];
  for (const track of clip.tracks) {
    const { path } = track;
    const target = path === "" ? entity : follow(tree, path, entity);
    const isFound = typeof target !== "string";
    if (isFound && path !== "" && !paths.has(path)) paths.set(path, foundPath(tree, path, target));
    if (isFound && "emit" in track) emits.push({ target, times: timesOf(track, clip.seconds) });
    else {
      const wrong = isFound ? bindTrack(tree, target, track as ValueTrack, targets, byKey) : target;
      if (wrong === undefined) count++;
      else report(track, /[.?]$/.test(wrong) ? wrong : `${wrong}.`);
    }
  }
  const { version } = tree;
  return {
    clip,
    entity,
    version,
    paths: [...paths.values()],
    targets,
    byKey,
    count: count + emits.length,
    emits,
  };
}

/** The entity at the end of a path, or why there is none. One invalid path must not end the step for all others. */
function follow(tree: Hierarchy, path: string, from: Entity): Entity | string {
  try {
    return tree.find(path, from) ?? `there is nothing at ${describeValue(path)}`;
  } catch (error) {
    if (!(error instanceof InvalidPathError)) throw error;
    return `the path ${describeValue(path)} cannot lead to one entity. Write names with / between them, and \\ before a * or ? of a name`;
  }
}

function foundPath(tree: Hierarchy, path: string, target: Entity): FoundPath {
  const way: Entity[] = [];
  const steps = path.split("/").length;
  for (let at: Entity | null = target; at !== null && way.length < steps; at = tree.parentOf(at))
    way.push(at);
  return { path, target, way, names: way.map((each) => tree.nameOf(each)) };
}

/** Adds a track to those of its target; returns the reason if that is impossible. */
function bindTrack(
  tree: Hierarchy,
  target: Entity,
  track: ValueTrack,
  targets: BoundTarget[],
  byKey: Map<string, BoundTrack>,
): string | undefined {
  const { world } = tree;
  const component = world.componentNamed(track.component) as Component<Schema> | undefined;
  if (component === undefined || !world.has(target, component))
    return `${tree.label(target)} has no ${describeValue(track.component)}`;
  const field = component.schema[track.field];
  if (!Object.hasOwn(component.schema, track.field) || field === undefined)
    return `${track.component} has no field ${describeValue(track.field)}. ${nearestName(track.field, Object.keys(component.schema))}`;
  if (component.reserved !== undefined) return `${track.component} is written by ${component.reserved} only`;
  const type = fieldTypeOf(field);
  for (const value of track.values) {
    const misfit = type.misfit(field, value);
    if (misfit !== undefined) return `${track.component}.${track.field} ${misfit}`;
  }
  const { valueKind } = type;
  let mixing: Mixing = "step";
  if (typeof track.values[0] === "number") {
    if (isColorField(field)) mixing = "color";
    else if (valueKind === "integer") mixing = "integer";
    else if (valueKind === "number") mixing = "number";
  }
  const key = `${target} ${track.component} ${track.field}`;
  const bound: BoundTrack = { track, mixing, key };
  byKey.set(key, bound);
  let group = targets.find((each) => each.target === target && each.component === component);
  if (group === undefined) {
    group = { target, component, tracks: [], values: {} };
    targets.push(group);
  }
  group.tracks.push(bound);
  group.values[track.field] = track.values[0];
  return undefined;
}

/** Whether all paths still lead to the same targets. */
export function isBound(tree: Hierarchy, bound: BoundClip, clip: KeyframeClip, entity: Entity): boolean {
  if (bound.clip !== clip || bound.entity !== entity) return false;
  const { world, version } = tree;
  // Missing targets may exist now: names change without a new version of the tree.
  if (bound.count < clip.tracks.length) return false;
  const isOther = bound.version !== version;
  for (const { path, target, way, names } of bound.paths) {
    if (isOther && tree.find(path, entity) !== target) return false;
    for (let k = 0; k < way.length; k++) if (tree.nameOf(way[k]) !== names[k]) return false;
  }
  for (const { target, component } of bound.targets) if (!world.has(target, component)) return false;
  bound.version = version;
  return true;
}

/** The times of an event, in the form for `eventsBetween`. */
function timesOf({ emit, times }: EmitTrack, round: number): PlayableClip {
  return {
    name: emit,
    frames: [],
    starts: Float64Array.from(times),
    round,
    events: times.map(() => emit),
    anchors: undefined,
    length: round,
    once: round,
  };
}
