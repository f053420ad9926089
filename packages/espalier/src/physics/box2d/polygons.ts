/**
 * Hulls of polygons, computed by the engine. Points are passed one by one, so the last hull is cached: bodies that are created
 * together mostly have the same form, and each form is needed three times: twice for checks and once to create it.
 */
import type { Module } from "./module.ts";

type Hull = ReturnType<Module["b2ComputeHull"]>;

export class Polygons {
  private readonly module: Module;
  private points: readonly number[] = [];
  private hull: Hull | undefined;

  constructor(module: Module) {
    this.module = module;
  }

  /** The hull of these points; it has no corners when they are too close together. It is cached, so callers must not delete it. */
  hullOf(points: readonly number[]): Hull {
    if (this.hull !== undefined && isSame(points, this.points)) return this.hull;
    const hull = this.module.b2ComputeHull(pairs(points));
    this.hull?.delete();
    this.hull = hull;
    this.points = [...points];
    return hull;
  }

  dispose(): void {
    this.hull?.delete();
    this.hull = undefined;
  }
}

/** The points as objects, as the engine expects them. */
export function pairs(points: readonly number[]): { x: number; y: number }[] {
  const list: { x: number; y: number }[] = [];
  for (let k = 0; k < points.length; k += 2)
    list.push({ x: points[k] as number, y: points[k + 1] as number });
  return list;
}

function isSame(a: readonly number[], b: readonly number[]): boolean {
  if (a.length !== b.length) return false;
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return false;
  return true;
}
