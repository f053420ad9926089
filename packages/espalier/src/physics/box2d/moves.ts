/**
 * Which bodies a step moved, read from the engine's memory.
 *
 * A call per body takes 2.4 to 4 µs, reading its memory 0.1. The layout of the list is not documented, so
 * memory is read only after its first and last entries agreed with the results of calls; otherwise calls are used from then on.
 */
import type { EngineMoves } from "../engine.ts";
import type { Module, WorldId } from "./module.ts";

// One entry in words of 4 bytes: user data, x, y, cosine, sine, body index, world and generation, fell asleep.
const WORDS = 8;
const X = 1;
const BODY = 5;
const ASLEEP = 7;

type Events = ReturnType<Module["b2World_GetBodyEvents"]>;

export class MoveReader {
  readonly moves: EngineMoves = {
    count: 0,
    bodies: new Int32Array(64),
    values: new Float32Array(256),
    asleep: new Uint8Array(64),
  };
  private readonly module: Module;
  private readonly world: WorldId;
  private buffer: ArrayBufferLike | undefined;
  private words: Uint32Array<ArrayBufferLike> = new Uint32Array(0);
  private floats: Float32Array<ArrayBufferLike> = new Float32Array(0);
  /** Unknown before the first moves. */
  private trusted: boolean | undefined;

  constructor(module: Module, world: WorldId, memoryReads: boolean) {
    this.module = module;
    this.world = world;
    if (!memoryReads) this.trusted = false;
  }

  /** Whether memory is read; `undefined` before the first moves. */
  get readsMemory(): boolean | undefined {
    return this.trusted;
  }

  read(): void {
    const events = this.module.b2World_GetBodyEvents(this.world);
    const count = events.moveCount;
    this.moves.count = count;
    if (count > 0) {
      this.fit(count);
      const at = this.trusted === false ? -1 : this.find(events, count);
      if (at >= 0 && this.trusted === undefined) this.trusted = this.agrees(events, at, count);
      if (at >= 0 && this.trusted) this.readMemory(at, count);
      else this.readCalls(events, count);
    }
    events.delete();
  }

  /** The word at which the entries begin; -1 if the memory is not as expected. */
  private find(events: Events, count: number): number {
    const { buffer } = this.module.HEAPU8 as Uint8Array;
    // There is a new buffer after the engine's memory has grown.
    if (buffer !== this.buffer) {
      this.buffer = buffer;
      this.words = new Uint32Array(buffer);
      this.floats = new Float32Array(buffer);
    }
    const pointer = (events as unknown as { $$?: { ptr?: unknown } }).$$?.ptr;
    if (typeof pointer !== "number" || (pointer & 3) !== 0) return -1;
    const { words } = this;
    const list = words[pointer >> 2];
    if (words[(pointer >> 2) + 1] !== count || (list & 3) !== 0) return -1;
    return (list >> 2) + count * WORDS <= words.length ? list >> 2 : -1;
  }

  private agrees(events: Events, at: number, count: number): boolean {
    const { words, floats } = this;
    for (const k of [0, count - 1]) {
      const event = events.GetMoveEvent(k);
      const { p, q } = event.transform;
      const entry = at + k * WORDS;
      const same =
        floats[entry + X] === p.x &&
        floats[entry + X + 1] === p.y &&
        floats[entry + X + 2] === q.c &&
        floats[entry + X + 3] === q.s &&
        words[entry + BODY] === event.bodyId.index1 &&
        (words[entry + ASLEEP] & 0xff) === (event.fellAsleep ? 1 : 0);
      event.delete();
      if (!same) return false;
    }
    return true;
  }

  private readMemory(at: number, count: number): void {
    const { words, floats } = this;
    const { bodies, values, asleep } = this.moves;
    for (let k = 0, entry = at, v = 0; k < count; k++, entry += WORDS, v += 4) {
      bodies[k] = words[entry + BODY];
      values[v] = floats[entry + X];
      values[v + 1] = floats[entry + X + 1];
      values[v + 2] = floats[entry + X + 2];
      values[v + 3] = floats[entry + X + 3];
      asleep[k] = words[entry + ASLEEP] & 0xff;
    }
  }

  private readCalls(events: Events, count: number): void {
    const { bodies, values, asleep } = this.moves;
    for (let k = 0; k < count; k++) {
      const event = events.GetMoveEvent(k);
      const { p, q } = event.transform;
      bodies[k] = event.bodyId.index1;
      values.set([p.x, p.y, q.c, q.s], k * 4);
      asleep[k] = event.fellAsleep ? 1 : 0;
      event.delete();
    }
  }

  private fit(count: number): void {
    const { moves } = this;
    if (moves.bodies.length >= count) return;
    const room = Math.max(count, moves.bodies.length * 2);
    moves.bodies = new Int32Array(room);
    moves.values = new Float32Array(room * 4);
    moves.asleep = new Uint8Array(room);
  }
}
