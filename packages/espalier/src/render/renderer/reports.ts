/**
 * Reports once what cannot be drawn. Frames never throw: missing resources are drawn as placeholders and reported here.
 */
import type { Entity } from "../../ecs/index.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";

/** Something that could not be drawn as intended. */
export interface RenderProblem {
  /** What kind of problem it is. */
  readonly code: "missing-texture" | "unknown-frame" | "failed-draw";
  /** The message, with the path of the first entity that needs it, and what to do. */
  readonly message: string;
  /** The first entity that has it. */
  readonly entity: Entity;
  /** The name of the missing resource. */
  readonly name: string;
}

/** Reports each problem once, however often it occurs. */
export interface Reports {
  /** Reports a problem, unless the same one was reported before. */
  report(code: RenderProblem["code"], entity: Entity, name: string, message: string): void;
  /** Allows a problem to be reported again, because the missing resource was loaded since. */
  forget(code: RenderProblem["code"], name: string): void;
}

/** @param onProblem - Receives each problem once; the console if left out. */
export function createReports(
  tree: Hierarchy,
  onProblem: (problem: RenderProblem) => void = ({ message }) => console.warn(message),
): Reports {
  const told = new Set<string>();
  return {
    report(code, entity, name, message) {
      const key = `${code}:${name}`;
      if (told.has(key)) return;
      told.add(key);
      const where = tree.world.isAlive(entity) ? tree.pathOf(entity) : "a destroyed entity";
      onProblem({ code, entity, name, message: `${where}: ${message}` });
    },
    forget: (code, name) => void told.delete(`${code}:${name}`),
  };
}
