/**
 * The components of sounds. Plain values, which scenes, undo and tools handle like any others.
 */
import {
  type AnyComponent,
  type AssetField,
  asset,
  bool,
  type Component,
  component,
  type Field,
  f32,
  f64,
  finite,
  string,
  type Tag,
  tag,
} from "../ecs/index.ts";
import { defineInherited, type InheritedDefinition, product } from "../inherit/index.ts";

const number = (initial: number) => finite(f32(initial));

/** The fields of `Sound`. */
export type SoundSchema = {
  /** The name of the sound. Empty: silence. */
  sound: AssetField;
  /** How loud it is; 1 as in the file. */
  volume: Field<number, "f32">;
  /** Its speed, and with it its pitch: 1 as in the file. */
  rate: Field<number, "f32">;
  /** Whether it repeats. */
  loop: Field<boolean, "bool">;
  /** Whether it plays. On if left out. */
  playing: Field<boolean, "bool">;
  /** Seconds since it began; with `loop` it keeps increasing. Write it to jump to another position. */
  time: Field<number, "f64">;
  /** Its bus. Empty: that of the nearest `Volume` above that names one, otherwise none. */
  bus: Field<string, "string">;
  /** Up to this distance from the listener it has its full volume, in units of the world. */
  near: Field<number, "f32">;
  /** From this distance on it is silent. 0, the default: distance has no effect. */
  far: Field<number, "f32">;
  /** Seconds of fading in and out. */
  fade: Field<number, "f32">;
  /** Whether it plays while it loads, for long music: decoded, a minute of stereo takes 23 MB. */
  stream: Field<boolean, "bool">;
};

/**
 * A sound at an entity. It plays while `playing` is on, the entity is active and its `TimeScale` above 0; otherwise it pauses,
 * and later continues from there.
 * The loudness is its own volume times the inherited `Volume`, the bus, and the effect of distance.
 */
export const Sound: Component<SoundSchema> = /* @__PURE__ */ component(
  "Sound",
  {
    sound: /* @__PURE__ */ asset("sound"),
    volume: /* @__PURE__ */ number(1),
    rate: /* @__PURE__ */ number(1),
    loop: /* @__PURE__ */ bool(),
    playing: /* @__PURE__ */ bool(true),
    time: /* @__PURE__ */ finite(/* @__PURE__ */ f64(0)),
    bus: /* @__PURE__ */ string(),
    near: /* @__PURE__ */ number(0),
    far: /* @__PURE__ */ number(0),
    fade: /* @__PURE__ */ number(0),
    stream: /* @__PURE__ */ bool(),
  },
  { storage: "sparse" },
);

/** The fields of `Volume`. */
export type VolumeSchema = {
  /** Multiplied with the volume above. 1 if left out. */
  value: Field<number, "f64">;
  /** The bus of the sounds below that name none. Empty: the inherited one. */
  bus: Field<string, "string">;
};

/** The volume of everything from here down: volumes are multiplied along the path from the root. */
export const Volume: Component<VolumeSchema> = /* @__PURE__ */ component(
  "Volume",
  { value: /* @__PURE__ */ finite(/* @__PURE__ */ f64(1)), bus: /* @__PURE__ */ string() },
  { storage: "sparse" },
);

/** The listener of sounds: the first active entity with it. Without one, the origin of the world. */
export const Listener: Tag = /* @__PURE__ */ tag("Listener");

/** The inherited volume, multiplied. */
export const volume: InheritedDefinition<VolumeSchema, number> = /* @__PURE__ */ defineInherited({
  name: "volume",
  component: Volume,
  initial: 1 as number,
  combine: /* @__PURE__ */ product("value"),
});

/** The bus of the nearest `Volume` that names one. */
export const soundBus: InheritedDefinition<VolumeSchema, string> = /* @__PURE__ */ defineInherited({
  name: "sound bus",
  component: Volume,
  initial: "" as string,
  combine: (parent: string, own: { readonly bus: string }) => own.bus || parent,
});

/** The components of this room, for scene formats. */
export const audioComponents: readonly AnyComponent[] = [Sound, Volume, Listener];
