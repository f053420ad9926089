/**
 * JavaScript values as JSON, without silent losses. Nothing recurses.
 */

import { setOwn } from "../../history/internal.ts";
import type { Json } from "./json.ts";

/** A value that JSON cannot hold. */
export class Unwritable extends Error {}

/** A value that shares parts many times over may be small in memory and enormous as JSON. */
const mostContainers = 10_000_000;

type Container = { [key: string]: Json } | Json[];

/**
 * A copy as JSON. Refuses what JSON would lose or change: class instances, functions, NaN, cycles. Keys without a
 * value are left out.
 */
export function toJson(top: unknown, what: string): Json {
  if (typeof top !== "object" || top === null) return toScalar(top, what);
  const open = new Set<object>();
  let left = mostContainers;
  const enter = (from: object): Container => {
    if (open.has(from)) throw new Unwritable(`${what} an object that contains itself`);
    const prototype = Object.getPrototypeOf(from);
    if (!Array.isArray(from) && prototype !== null && Object.getPrototypeOf(prototype) !== null) {
      throw new Unwritable(`${what} a ${prototype.constructor?.name ?? "class instance"}`);
    }
    if (--left < 0) throw new Unwritable(`${what} more than ${mostContainers} objects and arrays`);
    open.add(from);
    return Array.isArray(from) ? [] : {};
  };
  const copy = enter(top);
  const stack = [{ from: top as { [key: string]: unknown }, to: copy, keys: Object.keys(top), at: 0 }];
  while (stack.length > 0) {
    const frame = stack[stack.length - 1];
    if (frame.at === frame.keys.length) {
      open.delete(frame.from);
      stack.pop();
      continue;
    }
    const key = frame.keys[frame.at++];
    const item = frame.from[key];
    if (item === undefined && !Array.isArray(frame.to)) continue;
    const isContainer = typeof item === "object" && item !== null;
    const json = isContainer ? enter(item) : toScalar(item, what);
    if (Array.isArray(frame.to)) frame.to.push(json);
    else setOwn(frame.to, key, json);
    if (isContainer) {
      stack.push({
        from: item as { [key: string]: unknown },
        to: json as Container,
        keys: Object.keys(item),
        at: 0,
      });
    }
  }
  return copy;
}

function toScalar(value: unknown, what: string): Json {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  const shown =
    typeof value === "function" || typeof value === "symbol" ? `a ${typeof value}` : String(value);
  throw new Unwritable(`${what} ${shown}`);
}
