/** Common parts of importers. */
import type { SceneFile } from "espalier/scene";

/** A part of the original that the scene cannot express. */
export interface Unmapped {
  /** The path of the node it belongs to; empty for the file as a whole. */
  readonly node: string;
  /** A description of it. */
  readonly what: string;
  /** Whether the scene keeps it as Props, for your own code to read. */
  readonly kept: boolean;
}

/** An imported scene, and what could not be imported. */
export interface Imported {
  /** The scene as a file. */
  readonly scene: SceneFile;
  /** What the scene cannot express. */
  readonly unmapped: readonly Unmapped[];
  /** Files that the scene needs as prefabs, from the original. */
  readonly needs: readonly string[];
}

/** Components of an entity under construction. */
export type Components = { [name: string]: { [field: string]: Json } };

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** An entity under construction. */
export interface Entry {
  id?: string;
  name?: string;
  prefab?: string;
  components?: Components;
  overrides?: { [path: string]: Entry };
  order?: string[];
  children?: Entry[];
}

/** An object whose keys come from a file: it inherits nothing, so that `__proto__` is a key like any other. */
export function emptyRecord<Value>(): { [key: string]: Value } {
  return Object.create(null) as { [key: string]: Value };
}

/** Rounds a number to the precision of a 32-bit float, in as few digits as possible. */
export function short(value: number): number {
  return Number(value.toPrecision(7)) + 0;
}

/** Whether a 32-bit float can hold it; no NaN can be saved. */
export function fitsFloat(value: number): boolean {
  return Math.abs(value) <= largestFloat;
}

const largestFloat = 3.4028234663852886e38;

/** Leaves out fields that have their default. */
export function differing(
  values: { readonly [field: string]: number },
  defaults: { readonly [field: string]: number },
): { [field: string]: Json } {
  return Object.fromEntries(
    Object.entries(values).filter(([field, value]) => value !== (defaults[field] ?? 0)),
  );
}
