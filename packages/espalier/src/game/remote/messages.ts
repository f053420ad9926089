/** The messages: numbered questions, and their answers. All other messages on the channel are ignored. */
import type { Json } from "../../scene/index.ts";

export type Given = { readonly [name: string]: Json };

export interface Ask {
  readonly type: "ask";
  readonly id: string;
  readonly call: string;
  readonly given: Given;
}

export type Answer =
  | { readonly type: "answer"; readonly id: string; readonly result: Json }
  | { readonly type: "answer"; readonly id: string; readonly error: string; readonly code?: string };

/** A message of one of these types; `undefined` for all others. */
export function messageOf<Type extends "ask" | "answer">(
  message: string | ArrayBuffer,
  type: Type,
): (Type extends "ask" ? Ask : Answer) | undefined {
  if (typeof message !== "string") return undefined;
  try {
    const value = JSON.parse(message) as { readonly type?: unknown; readonly id?: unknown } | null;
    return value?.type === type && typeof value.id === "string" ? (value as never) : undefined;
  } catch {
    return undefined;
  }
}
