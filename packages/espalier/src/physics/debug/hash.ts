/**
 * One number for the state of many bodies, by FNV-1a over its bits.
 */

import { newState } from "../context.ts";
import type { EngineWorld } from "../engine.ts";
import type { BodyRecord } from "../sync/body-records.ts";

export function hashStates<Owner>(engine: EngineWorld<Owner>, bodies: readonly BodyRecord[]): number {
  const state = newState();
  const floats = new Float32Array(7);
  const bytes = new Uint8Array(floats.buffer);
  let hash = 0x811c9dc5;
  for (const { number } of bodies) {
    engine.stateOf(number, state);
    floats.set([
      state.x,
      state.y,
      state.cosine,
      state.sine,
      state.velocityX,
      state.velocityY,
      state.angularVelocity,
    ]);
    for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  }
  return hash >>> 0;
}
