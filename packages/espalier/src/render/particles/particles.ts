/**
 * Running the emitters of a world. Renderers only draw the particles, so that your program controls pausing, slow motion and tests.
 */
import {
  type ArgumentTest,
  describeValue,
  type Entity,
  type EntityLike,
  handleOf,
  type ValueOf,
} from "../../ecs/index.ts";
import { paceOf } from "../../inherit/index.ts";
import { type Affine2D, requireSpace2D, type Transforms2D } from "../../transform/index.ts";
import { InvalidRenderOptionError } from "../errors.ts";
import { ParticleEmitter, type ParticleEmitterSchema } from "./particle-emitter.ts";
import { createPool, isSomewhere, nextRandom, type ParticlePool, stepPool } from "./particle-pool.ts";

/** The particles of all emitters of a world. */
export interface Particles {
  /** Emits and moves particles: call it once per step or frame with the seconds passed. */
  step(dt: number): void;
  /** The particles of an entity; `undefined` when it has no emitter or was never stepped. */
  of(entity: EntityLike): ParticlePool | undefined;
  /** How many particles are alive. */
  readonly count: number;
  /** Emitters with a pool. */
  readonly pools: number;
  /** Incremented with every step that moved something, for renderers. */
  readonly version: number;
  /** Emits this many at once, in addition to the rate. */
  burst(entity: EntityLike, count: number): void;
}

/** The expected form of particles as an option. */
export const someParticles: ArgumentTest = {
  expected: "particles. Pass what createParticles() returned",
  fits: (value) => typeof (Object(value) as Partial<Particles>).of === "function",
};

/**
 * Runs all emitters of the world of a space.
 *
 * @example
 * ```ts
 * const space = createTransforms2D(tree);
 * const particles = createParticles(space);
 * const smoke = world.spawn(space.at(5, 0), ParticleEmitter({ rate: 10, lifetime: 2 }));
 * particles.step(1);
 * particles.of(smoke)?.count; // → 10
 * ```
 */
export function createParticles(space: Transforms2D): Particles {
  requireSpace2D(space, "run particles");
  const { world } = space.tree;
  const emitters = world.query(ParticleEmitter);
  const pace = paceOf(space.tree);
  const pools = new Map<Entity, ParticlePool>();
  const matrix: Affine2D = { a: 1, b: 0, c: 0, d: 1, x: 0, y: 0 };
  let version = 0;

  function poolOf(entity: Entity, { max, seed }: ValueOf<ParticleEmitterSchema>): ParticlePool {
    let pool = pools.get(entity);
    if (pool === undefined || pool.capacity !== max) {
      pool = createPool(max, seed);
      pools.set(entity, pool);
    }
    return pool;
  }

  function emit(entity: Entity, emitter: ValueOf<ParticleEmitterSchema>, pool: ParticlePool): void {
    if (pool.count >= pool.capacity) return;
    if (emitter.worldSpace) space.worldOf(entity, matrix);
    else Object.assign(matrix, { a: 1, b: 0, c: 0, d: 1, x: 0, y: 0 });
    const k = pool.count++;
    const either = () => nextRandom(pool) * 2 - 1;
    const angle = emitter.direction + either() * emitter.spread;
    const speed = emitter.speed + either() * emitter.speedSpread;
    const [dx, dy] = [Math.cos(angle) * speed, Math.sin(angle) * speed];
    pool.x[k] = matrix.x;
    pool.y[k] = matrix.y;
    pool.velocityX[k] = matrix.a * dx + matrix.c * dy;
    pool.velocityY[k] = matrix.b * dx + matrix.d * dy;
    pool.age[k] = 0;
    pool.life[k] = Math.max(emitter.lifetime + either() * emitter.lifetimeSpread, 1e-3);
    if (!isSomewhere(pool, k)) pool.count--;
  }

  return {
    step(dt) {
      if (!(typeof dt === "number" && dt >= 0 && dt < Number.POSITIVE_INFINITY)) {
        throw new InvalidRenderOptionError(
          `Cannot step particles by ${describeValue(dt)}: give the seconds passed, 0 or more.`,
          { value: dt },
        );
      }
      for (const entity of pools.keys())
        if (!world.isAlive(entity) || !world.has(entity, ParticleEmitter)) {
          pools.delete(entity);
          version++;
        }
      for (const entity of emitters) {
        const emitter = world.get(entity, ParticleEmitter)!;
        const pool = poolOf(entity, emitter);
        if (pace.of(entity) === 0) continue;
        if (pool.count > 0) version++;
        const passed = dt * pace.of(entity);
        stepPool(pool, passed, emitter.gravityX, emitter.gravityY);
        if (!emitter.on) continue;
        pool.due = Math.min(pool.due + Math.max(emitter.rate, 0) * passed, pool.capacity);
        for (; pool.due >= 1; pool.due--) {
          emit(entity, emitter, pool);
          version++;
        }
      }
    },
    of: (entity) => pools.get(handleOf(world, entity)),
    get count() {
      let count = 0;
      for (const pool of pools.values()) count += pool.count;
      return count;
    },
    get pools() {
      return pools.size;
    },
    get version() {
      return version;
    },
    burst(given, count) {
      const entity = handleOf(world, given);
      const emitter = world.get(entity, ParticleEmitter);
      if (emitter === undefined) {
        throw new InvalidRenderOptionError(
          `Cannot emit particles from ${space.tree.label(entity)}: it has no ParticleEmitter. Add one first.`,
          { entities: [entity], component: "ParticleEmitter" },
        );
      }
      if (!(Number.isInteger(count) && count >= 0)) {
        throw new InvalidRenderOptionError(
          `Cannot emit ${describeValue(count)} particles at once: give an integer, 0 or more.`,
          { value: count },
        );
      }
      const pool = poolOf(entity, emitter);
      // No more than the capacity allows, so that a huge count takes no time.
      const most = Math.min(count, pool.capacity - pool.count);
      for (let k = 0; k < most; k++) emit(entity, emitter, pool);
      version++;
    },
  };
}
