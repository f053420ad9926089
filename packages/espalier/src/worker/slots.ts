/**
 * The few blocks that may be in transit to the page: in shared memory, or in buffers that are transferred back and forth.
 *
 * A slot belongs to one side at a time, so that neither side reads while the other writes. While the page has all of them, the worker sends
 * nothing and continues; changes meanwhile are merged in the stream, and sent with the next free slot.
 */
import { HEAD_BYTES } from "./block.ts";
import type { BlockMemory } from "./messages.ts";

/** How many ticks may be in transit. */
export const SLOTS = 3;
const FIRST_BYTES = 1 << 16;

// The states of a shared slot, in its first word.
const FREE = 0;
const TAKEN = 1;
/** Taken, and the worker needs a message when it is free. */
const WANTED = 2;

/** The slots as the worker uses them. */
export interface Slots {
  /** The shared memory of all slots, for the page that joins. */
  readonly memories: readonly SharedArrayBuffer[];
  /** A slot that belongs to the worker until it is sent; `undefined` while the page has all of them. */
  claim(): number | undefined;
  /** Returns a slot that is not sent after all. */
  unclaim(slot: number): void;
  /** Memory for this many bytes of sections in a claimed slot, and whether it must be in the message. */
  memory(slot: number, bytes: number): { readonly memory: BlockMemory; readonly isSent: boolean };
  /** Frees a slot after the page has read it. */
  release(slot: number, memory: BlockMemory | undefined): void;
}

/** Slots in shared memory: the page frees them by writing a word, without a message. */
export function sharedSlots(): Slots {
  const memories = Array.from({ length: SLOTS }, () => new SharedArrayBuffer(FIRST_BYTES));
  const stateOf = (slot: number) => new Int32Array(memories[slot] as SharedArrayBuffer, 0, 1);
  /** The former memories of claimed slots that grew: a page that never receives the new one frees the old one. */
  const former = new Map<number, SharedArrayBuffer>();
  return {
    memories,
    claim() {
      const find = () =>
        memories.findIndex((_, k) => Atomics.compareExchange(stateOf(k), 0, FREE, TAKEN) === FREE);
      let slot = find();
      if (slot < 0) {
        for (let k = 0; k < SLOTS; k++) Atomics.compareExchange(stateOf(k), 0, TAKEN, WANTED);
        // The page may have freed one before it was marked, and then sends no message about it.
        slot = find();
      }
      former.delete(slot);
      return slot < 0 ? undefined : slot;
    },
    unclaim(slot) {
      memories[slot] = former.get(slot) ?? (memories[slot] as SharedArrayBuffer);
      Atomics.store(stateOf(slot), 0, FREE);
    },
    memory(slot, bytes) {
      const old = memories[slot] as SharedArrayBuffer;
      const needed = HEAD_BYTES + bytes;
      if (needed <= old.byteLength) return { memory: old, isSent: false };
      const memory = new SharedArrayBuffer(Math.max(needed, old.byteLength * 2));
      memories[slot] = memory;
      former.set(slot, old);
      Atomics.store(stateOf(slot), 0, TAKEN);
      return { memory, isSent: true };
    },
    release() {},
  };
}

/** Slots whose memory is transferred to the page and back. */
export function transferredSlots(): Slots {
  const memories: (BlockMemory | undefined)[] = Array.from({ length: SLOTS });
  const isTaken = memories.map(() => false);
  return {
    memories: [],
    claim() {
      const slot = isTaken.indexOf(false);
      if (slot < 0) return undefined;
      isTaken[slot] = true;
      return slot;
    },
    unclaim(slot) {
      isTaken[slot] = false;
    },
    memory(slot, bytes) {
      const needed = HEAD_BYTES + bytes;
      const old = memories[slot];
      memories[slot] = undefined;
      const memory =
        old !== undefined && needed <= old.byteLength
          ? old
          : new ArrayBuffer(Math.max(needed, FIRST_BYTES, 2 * (old?.byteLength ?? 0)));
      return { memory, isSent: true };
    },
    release(slot, memory) {
      if (memory !== undefined) memories[slot] = memory;
      isTaken[slot] = false;
    },
  };
}

/** Frees a shared slot on the page. `true` when the worker waits for a message about it. */
export function freeShared(memory: SharedArrayBuffer): boolean {
  return Atomics.exchange(new Int32Array(memory, 0, 1), 0, FREE) === WANTED;
}
