/**
 * Loading Box2D: the WebAssembly module, once; then any number of worlds in it.
 */
import Box2D from "box2d3-wasm";
import { checkOptions, expectArguments } from "../../ecs/index.ts";
import type { EngineWorld, EngineWorldOptions, PhysicsEngine } from "../engine.ts";
import { EngineLimitError, EngineNotLoadedError } from "../errors.ts";
import type { Module } from "./module.ts";
import { Box2DWorld } from "./world.ts";

/** Options of `loadBox2D`. */
export interface Box2DOptions {
  /**
   * Bytes of memory to allocate at the start. The engine starts with 16 MiB and grows automatically; growing copies everything on pages
   * that are not cross-origin isolated. 20,000 bodies take about 35 MiB.
   */
  readonly memory?: number;
  /** The location of the `.wasm` file, for setups in which it is not beside the module: receives its name, returns its address. */
  readonly locateFile?: (name: string) => string;
  /**
   * Whether moved bodies are read from the engine's memory (the default), or call by call: 30 times as slow, but independent of the
   * memory layout. Memory is compared with calls before it is trusted, so there is no need to turn it off.
   */
  readonly memoryReads?: boolean;
}

/** The limits of Box2D. A body with its shapes and contacts takes about 1.5 kB of at most 2 GiB. */
const limits = { polygonPoints: 8, layers: 64, bodies: 1_000_000, range: 100_000 };
const maxWorlds = 128;
const loadOptions = { memory: "number", locateFile: "function", memoryReads: "boolean" } as const;
/** The maximum memory of the module. */
const MOST_BYTES = 2 ** 31;
const aSize = {
  expected: "a number of bytes up to 2 GiB",
  fits: (value: unknown) => typeof value === "number" && value >= 0 && value <= MOST_BYTES,
};

/**
 * Loads Box2D. Await it before `createPhysics`; one engine is enough for a program.
 *
 * @example
 * ```ts
 * import { loadBox2D } from "espalier/physics/box2d";
 *
 * const engine = await loadBox2D({ memory: 32 * 2 ** 20 });
 * const physics = createPhysics(createTransforms2D(tree), engine);
 * physics.counts.bodies; // → 0
 * ```
 *
 * @throws EngineNotLoadedError when the module cannot be loaded.
 */
export async function loadBox2D(options: Box2DOptions = {}): Promise<PhysicsEngine> {
  checkOptions(true, "load Box2D", options, loadOptions);
  const { memory = 0, locateFile } = options;
  expectArguments("load Box2D", ["memory", memory, aSize]);
  if (locateFile !== undefined) expectArguments("load Box2D", ["locateFile", locateFile, "function"]);
  let module: Module;
  try {
    // No threads: they need cross-origin isolation, and waiting to keep the order deterministic.
    module = await Box2D({
      pthreadCount: 0,
      ...(options.locateFile === undefined ? {} : { locateFile: (name: string) => locate(options, name) }),
    });
  } catch (cause) {
    throw new EngineNotLoadedError(
      "Cannot load Box2D: its WebAssembly module did not start. Check that the .wasm file is served beside the module, or say where it is with locateFile.",
      { cause },
    );
  }
  if (options.memory !== undefined) reserve(module, options.memory);
  let worlds = 0;
  return {
    name: "Box2D",
    limits,
    createWorld<Owner>(world: EngineWorldOptions): EngineWorld<Owner> {
      if (worlds >= maxWorlds) {
        throw new EngineLimitError(
          `Cannot create another physics: Box2D holds ${maxWorlds} worlds. Dispose of those you no longer need, or load a second engine.`,
          { limit: maxWorlds },
        );
      }
      const made = new Box2DWorld<Owner>(module, world, options.memoryReads ?? true, () => worlds--);
      worlds++;
      return made;
    },
  };
}

function locate({ locateFile }: Box2DOptions, name: string): string {
  const address = locateFile?.(name);
  expectArguments("load Box2D", [`the result of locateFile for ${name}`, address, "text"]);
  return address as string;
}

/** Allocates a block and frees it at once: the memory stays grown, and both builds of the engine have these calls. */
function reserve(module: Module, bytes: number): void {
  const more = Math.ceil(bytes) - module.HEAPU8.length;
  if (!(more > 0)) return;
  const block = module._malloc(more);
  if (block === 0) {
    throw new EngineLimitError(
      `Cannot give Box2D ${bytes} bytes of memory: that much is not available. Ask for less.`,
      { value: bytes },
    );
  }
  module._free(block);
}
