/** The options that a client sends when it joins, so that a server of another version can refuse it. */
import type { Schema } from "espalier";
import type { Replication } from "./replicate.ts";

/** The code with which a room refuses a client of another version. */
export const MISMATCH = 4620;

/** Options to join with: `client.joinOrCreate("arena", { ...joinOptions(arena), name: "Ada" })`. */
export function joinOptions<Input extends Schema>({
  hash,
}: Pick<Replication<Input>, "hash">): { readonly espalier: number } {
  return { espalier: hash };
}
