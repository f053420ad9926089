/**
 * Between a world whose y grows upwards and a screen whose y grows downwards. Each is the other's inverse.
 */
import { requireNumber } from "../../ecs/internal.ts";

/** The y of the screen for a y of the game. */
export function toScreenY(y: number, height: number): number {
  requireNumber(y, "convert a y", "the y");
  requireNumber(height, "convert a y", "the height");
  return height - y;
}

/** The y of the game for a y of the screen. */
export function toGameY(y: number, height: number): number {
  requireNumber(y, "convert a y", "the y");
  requireNumber(height, "convert a y", "the height");
  return height - y;
}
