/**
 * The particles of one emitter: numbers in typed arrays, living ones first. Nothing is allocated or freed while
 * particles are emitted and die.
 */
import { type Bounds, clearBounds } from "../bounds/bounds.ts";

/** The living particles of one emitter, in arrays. */
export interface ParticlePool {
  /** How many are alive: the first `count` items of each array. */
  count: number;
  /** The maximum number. */
  readonly capacity: number;
  /** The x of each particle. */
  readonly x: Float32Array;
  /** The y of each particle. */
  readonly y: Float32Array;
  /** Units per second along x. */
  readonly velocityX: Float32Array;
  /** Units per second along y. */
  readonly velocityY: Float32Array;
  /** Age in seconds. */
  readonly age: Float32Array;
  /** Lifetime in seconds. */
  readonly life: Float32Array;
  /** The fraction of the next particle that has accumulated. */
  due: number;
  /** State of the random numbers. */
  random: number;
}

export function createPool(capacity: number, seed: number): ParticlePool {
  const column = () => new Float32Array(capacity);
  return {
    count: 0,
    capacity,
    x: column(),
    y: column(),
    velocityX: column(),
    velocityY: column(),
    age: column(),
    life: column(),
    due: 0,
    random: seed >>> 0,
  };
}

/** The next number from 0 to 1 (mulberry32). */
export function nextRandom(pool: ParticlePool): number {
  pool.random = (pool.random + 0x6d2b79f5) >>> 0;
  let t = pool.random;
  t = Math.imul(t ^ (t >>> 15), t | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}

/** Ages and moves all particles; removes those at the end of their lifetime, or whose numbers overflow. */
export function stepPool(pool: ParticlePool, dt: number, gravityX: number, gravityY: number): void {
  const { x, y, velocityX, velocityY, age, life } = pool;
  for (let k = 0; k < pool.count; ) {
    age[k] += dt;
    velocityX[k] += gravityX * dt;
    velocityY[k] += gravityY * dt;
    x[k] += velocityX[k] * dt;
    y[k] += velocityY[k] * dt;
    if (age[k] >= life[k] || !isSomewhere(pool, k)) {
      const last = --pool.count;
      for (const column of [x, y, velocityX, velocityY, age, life]) column[k] = column[last];
    } else k++;
  }
}

/** Whether position and velocity of a particle are finite. */
export function isSomewhere({ x, y, velocityX, velocityY }: ParticlePool, k: number): boolean {
  return Number.isFinite(x[k] + y[k]) && Number.isFinite(velocityX[k] + velocityY[k]);
}

/** The bounds of all particles, each of them a square of the given half side. */
export function poolBounds(pool: ParticlePool, half: number, out: Bounds): Bounds {
  clearBounds(out);
  for (let k = 0; k < pool.count; k++) {
    out.minX = Math.min(out.minX, pool.x[k] - half);
    out.maxX = Math.max(out.maxX, pool.x[k] + half);
    out.minY = Math.min(out.minY, pool.y[k] - half);
    out.maxY = Math.max(out.maxY, pool.y[k] + half);
  }
  return out;
}
