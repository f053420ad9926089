/**
 * Components of the samples: what moves by itself while a scene plays.
 */
import { type AnyComponent, component, entityRef, f32, finite, string } from "espalier";

/** Turns its entity by so many degrees a second. */
export const Spin = component("Spin", { degrees: finite(f32(90)) });

/** Moves its entity up and down, or from side to side. */
export const Sway = component("Sway", {
  x: finite(f32(0)),
  y: finite(f32(10)),
  seconds: finite(f32(2)),
  phase: finite(f32(0)),
});

/** Turns its entity towards another. */
export const LookAt = component("LookAt", { target: entityRef() });

/** Creates copies of another entity, which vanish after a while. */
export const Spawner = component("Spawner", {
  original: entityRef(),
  every: finite(f32(0.5)),
  life: finite(f32(2)),
  speed: finite(f32(80)),
});

/** A remark for whoever reads the scene. */
export const Note = component("Note", { text: string() });

export const sampleComponents: readonly AnyComponent[] = [Spin, Sway, LookAt, Spawner, Note];
