/**
 * Runs all sprite animations of a world, once per step.
 */
import {
  checkOptions,
  describeValue,
  type Entity,
  expectArguments,
  guard,
  guardWrites,
  indexOf,
  nearestName,
} from "../ecs/index.ts";
import type { EntityEvents, Hierarchy } from "../hierarchy/index.ts";
import { Active, paceOf, TimeScale } from "../inherit/index.ts";
import { Sprite } from "../render/index.ts";
import type { Atlas } from "./atlas.ts";
import { InvalidAnimationValueError, UnknownClipError } from "./errors.ts";
import { eventsBetween, frameAt, isOver, lengthIn, type PlayableClip, preparePlaying } from "./play-clip.ts";
import { requireAtlas } from "./require-atlas.ts";
import { AnimationEnded, SpriteAnimation } from "./sprite-animation.ts";

/** Options of `createSpriteAnimations`. */
export interface SpriteAnimationsOptions {
  /** Sends events: those of frames by name, and `AnimationEnded`. None are sent if left out. */
  readonly events?: EntityEvents;
  /** The initial atlases, by the name of the texture. */
  readonly atlases?: { readonly [texture: string]: Atlas };
  /** Returns the state of an entity, which names the clip if `clip` is empty. In a game, the nearest `State` if left out. */
  readonly stateOf?: (entity: Entity) => string | null | undefined;
}

/** The sprite animations of a world. Made by `createSpriteAnimations`. */
export interface SpriteAnimations {
  /**
   * Adds an atlas for the name of its texture, or replaces it.
   * @throws InvalidAtlasError for a value that is not an atlas.
   */
  add(texture: string, atlas: Atlas): void;
  /** Removes an atlas: its sprites keep their frame. */
  remove(texture: string): void;
  /** The atlas of a texture, if it is known. */
  find(texture: string): Atlas | undefined;
  /**
   * Plays everything for this many seconds, at the pace of each entity: `TimeScale`, and 0 for inactive ones.
   * @throws InvalidAnimationValueError for an invalid time.
   */
  step(seconds: number): void;
  /** Ends the checks of values, and forgets all atlases. */
  dispose(): void;
}

interface Sheet {
  readonly atlas: Atlas;
  readonly clips: ReadonlyMap<string, PlayableClip>;
}

/** Cached lookups for the entity at an index; valid as long as both names are the same. */
interface Found {
  clipName: string;
  texture: string;
  clip: PlayableClip | undefined;
  frame: number;
}

interface Notice {
  readonly entity: Entity;
  /** The name of an event of a frame; `undefined` for the end of the clip. */
  readonly event: string | undefined;
  readonly clip: string;
}

const optionKinds = {
  events: "anything",
  atlases: "anything",
  stateOf: "function",
} as const;

/**
 * Runs the sprite animations of a tree's world.
 *
 * @example
 * ```ts
 * const frame = (x: number) => ({ frame: { x, y: 0, w: 16, h: 16 }, duration: 100 });
 * const meta = { frameTags: [{ name: "run", from: 0, to: 1, direction: "forward" }] };
 * const hero = readAtlas({ frames: { a: frame(0), b: frame(16) }, meta });
 * const animations = createSpriteAnimations(tree, { atlases: { hero } });
 * const runner = world.spawn(Sprite({ texture: "hero" }), SpriteAnimation({ clip: "run" }));
 * animations.step(0.1);
 * world.get(runner, Sprite)!.frame; // → "b"
 * ```
 */
export function createSpriteAnimations(
  tree: Hierarchy,
  options: SpriteAnimationsOptions = {},
): SpriteAnimations {
  const { world } = Object(tree) as Hierarchy;
  expectArguments("run sprite animations", ["the world of the tree", world, "world"]);
  checkOptions(world.checks, "run sprite animations", options, optionKinds);
  const { events, stateOf } = options;
  const animated = world.query(SpriteAnimation, Sprite);
  const pace = paceOf(tree);
  const switches = [world.query(Active), world.query(TimeScale)];
  const sheets = new Map<string, Sheet>();
  /** By entity index. */
  const found: (Found | undefined)[] = [];
  const reported = new Set<string>();
  let notices: Notice[] = [];
  let endWriteGuard: () => void;

  function add(texture: string, atlas: Atlas): void {
    const doing = `add the atlas ${describeValue(texture)}`;
    expectArguments(doing, ["the name of its texture", texture, "text"]);
    requireAtlas(doing, atlas);
    const clips = new Map(
      Object.entries(atlas.clips).map(([name, clip]) => [name, preparePlaying(name, clip, atlas.frames)]),
    );
    sheets.set(texture, { atlas, clips });
    found.length = 0;
    reported.clear();
  }

  // Validation ------------------------------------------------------------------------------------------------------------

  function refuseNumber(label: () => string, values: { readonly [field: string]: unknown }): void {
    for (const field of ["time", "speed"]) {
      const value = values[field];
      if (value === undefined || !((value as number) < 0)) continue;
      throw new InvalidAnimationValueError(
        `Cannot give ${label()} the ${field} ${describeValue(value)} in SpriteAnimation: give 0 or more.`,
        { component: "SpriteAnimation", field, value },
      );
    }
  }

  /** @param known - The names of existing clips. */
  function refuseClip(label: () => string, clip: unknown, known: readonly string[]): void {
    if (clip === undefined || clip === "" || known.includes(clip as string)) return;
    throw new UnknownClipError(
      `Cannot play ${describeValue(clip)} with ${label()}: no atlas that could hold it has such a clip. ${nearestName(clip, known)}`,
      { clip: String(clip), component: "SpriteAnimation", field: "clip", value: clip },
    );
  }

  // The texture of an entity that is being created is not known yet, so any atlas may be its own.
  const endGuard = guard(world, SpriteAnimation, (index, given) => {
    const values = (given ?? {}) as { readonly [field: string]: unknown };
    const label = () => (index === 0 ? "a new entity" : tree.label(world.handleAt(index)));
    refuseNumber(label, values);
    if (sheets.size === 0) return;
    refuseClip(
      label,
      values.clip,
      [...sheets.values()].flatMap(({ clips }) => [...clips.keys()]),
    );
  });

  function guardClips(): void {
    endWriteGuard = guardWrites(world, SpriteAnimation, (entity, values) => {
      const label = () => tree.label(entity);
      refuseNumber(label, values);
      const sheet = world.has(entity, Sprite) ? sheets.get(world.get(entity, Sprite)!.texture) : undefined;
      if (sheet !== undefined) refuseClip(label, values.clip, [...sheet.clips.keys()]);
    });
  }

  // Playing ----------------------------------------------------------------------------------------------------------------

  function report(entity: Entity, clip: string, texture: string): void {
    const key = JSON.stringify([texture, clip]);
    if (reported.has(key)) return;
    reported.add(key);
    const known = sheets.get(texture)?.clips;
    const why =
      known === undefined
        ? `the texture ${describeValue(texture)} has no atlas. Add it with add(texture, readAtlas(json)).`
        : `the atlas ${describeValue(texture)} has no such clip. ${nearestName(clip, [...known.keys()])}`;
    world.onError(
      new UnknownClipError(`Cannot play ${describeValue(clip)} with ${tree.label(entity)}: ${why}`, {
        clip,
        entities: [entity],
        component: "SpriteAnimation",
      }),
    );
  }

  function find(entity: Entity, clipName: string, texture: string): Found {
    const index = indexOf(entity);
    // Arrays with holes are slow: fill up to the index.
    while (found.length <= index) found.push(undefined);
    const clip = sheets.get(texture)?.clips.get(clipName);
    if (clip === undefined && clipName !== "") report(entity, clipName, texture);
    const made = { clipName, texture, clip, frame: 0 };
    found[index] = made;
    return made;
  }

  function play(seconds: number): void {
    // Reading the pace of each takes as long as the rest of this loop.
    const isPaced = switches.some((query) => !query.isEmpty());
    animated.each((entity, animation, sprite) => {
      let clipName = animation.clip;
      if (clipName === "" && stateOf !== undefined) {
        clipName = stateOf(entity) ?? "";
        if (animation.state !== clipName) {
          if (animation.state !== "") animation.time = 0;
          animation.state = clipName;
        }
      }
      const { texture } = sprite;
      let known = found[indexOf(entity)];
      if (known === undefined || known.clipName !== clipName || known.texture !== texture)
        known = find(entity, clipName, texture);
      const { clip } = known;
      if (clip === undefined) return;
      const length = lengthIn(clip, animation.loop);
      const from = animation.time;
      let time = from;
      if (animation.playing && !isOver(length, from)) {
        time = from + seconds * animation.speed * (isPaced ? pace.of(entity) : 1);
        if (events !== undefined && clip.events !== undefined)
          eventsBetween(clip, length, from, time, (event) =>
            notices.push({ entity, event, clip: clip.name }),
          );
        if (isOver(length, time)) {
          time = length;
          if (events !== undefined) notices.push({ entity, event: undefined, clip: clip.name });
        } else if (length === Number.POSITIVE_INFINITY && time >= clip.round) time %= clip.round;
        if (time !== from) animation.time = time;
      }
      const at = frameAt(clip, length, time, known.frame);
      known.frame = at;
      const name = clip.frames[at];
      if (sprite.frame === name) return;
      sprite.frame = name;
      const anchor = clip.anchors?.[at];
      if (anchor === undefined) return;
      sprite.anchorX = anchor.x;
      sprite.anchorY = anchor.y;
    });
  }

  /** Sent after the pass, in the order of entities, because handlers may change anything. */
  function send(): void {
    const list = notices.sort((a, b) => a.entity - b.entity);
    notices = [];
    for (const { entity, event, clip } of list) {
      if (!world.isAlive(entity)) continue;
      if (event === undefined) events!.emit(entity, AnimationEnded, { clip });
      else {
        // The kind is unknown if it never had a handler: then there is none to call.
        const kind = events!.kindNamed(event);
        if (kind !== undefined) events!.emit(entity, kind, undefined);
      }
    }
  }

  for (const [texture, atlas] of Object.entries(options.atlases ?? {})) add(texture, atlas);
  guardClips();

  return {
    add,
    remove(texture) {
      sheets.delete(texture);
      found.length = 0;
      reported.clear();
    },
    find: (texture) => sheets.get(texture)?.atlas,
    step(seconds) {
      if (!(typeof seconds === "number" && seconds >= 0 && seconds < Number.POSITIVE_INFINITY)) {
        throw new InvalidAnimationValueError(
          `Cannot play animations for ${describeValue(seconds)} seconds: give 0 or more.`,
          { value: seconds },
        );
      }
      if (animated.isEmpty()) return;
      // Own writes need no check: calling the guard for each costs fifteen times as much as the write.
      endWriteGuard();
      try {
        play(seconds);
      } finally {
        guardClips();
      }
      if (notices.length > 0) send();
    },
    dispose() {
      endGuard();
      endWriteGuard();
      sheets.clear();
      found.length = 0;
    },
  };
}
