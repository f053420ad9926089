/** The prediction of a client: the step of `Driver`, for the tank that it owns. */
import type { World } from "espalier";
import { Transform2D } from "espalier/transform";
import { Drive, drive, Tank } from "./arena.ts";

export function predictDrive({ world, dt }: { readonly world: World; readonly dt: number }): void {
  world.query(Transform2D, Tank, Drive).update((transform, tank, input) => drive(transform, tank, input, dt));
}
