import { type Field, f32, finite } from "../../ecs/index.ts";

/** A number of a drawing component: 32 bits, neither NaN nor infinite. */
export type DrawNumber = Field<number, "f32">;

export const number = (initial: number): DrawNumber => finite(f32(initial));
