/**
 * One program, one build: files of two builds are two copies of the library, which do not know each other's components and classes.
 */
import { BUILD, DEVELOPMENT } from "./development.ts";

interface Loaded {
  readonly build: string;
  /** What was said already. */
  readonly said: Set<string>;
}

/** Shared by all copies of the library in a program. */
const LOADED = Symbol.for("espalier.build");

/** Says once when files of another build are at work in this program, or when NODE_ENV has a value that chooses none. */
export function noteBuild(): void {
  const program = globalThis as { [LOADED]?: Loaded };
  program[LOADED] ??= { build: BUILD, said: new Set() };
  const { build, said } = program[LOADED];
  if (build !== BUILD) {
    say(
      said,
      `Espalier is loaded from two builds, "${build}" and "${BUILD}": they are separate copies. Load all rooms with the same export conditions, or from one folder.`,
    );
  }
  if (
    DEVELOPMENT &&
    BUILD === "default" &&
    !/^(development|production|test)?$/.test(process.env.NODE_ENV ?? "")
  ) {
    say(
      said,
      `NODE_ENV is "${process.env.NODE_ENV}", which Espalier does not know: it takes its development build. Set it to "production" in what you ship.`,
    );
  }
}

function say(said: Set<string>, message: string): void {
  if (said.has(message)) return;
  said.add(message);
  console.warn(message);
}

declare const process: { readonly env: { readonly NODE_ENV?: string } };
