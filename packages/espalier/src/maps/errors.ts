/**
 * Every error this room throws. What is merely not understood is listed instead: see `ImportedMap.notImported`.
 */
import { EspalierError, type FactsOf } from "../ecs/index.ts";

/** A map that cannot be imported. */
export class MapError extends EspalierError {
  override get name(): string {
    return "MapError";
  }
  /** The file that it is about; empty where none was named. */
  declare readonly file: string;
}

/** A file that is not a map, or is one that contradicts itself. */
export class InvalidMapError extends MapError {
  override get name(): string {
    return "InvalidMapError";
  }
  constructor(message: string, facts: FactsOf<InvalidMapError, "file">) {
    super("maps/invalid-map", message, facts);
  }
}

/** A map in a form that is not read: another setting of the tool writes one that is. */
export class UnsupportedMapError extends MapError {
  override get name(): string {
    return "UnsupportedMapError";
  }
  constructor(message: string, facts: FactsOf<UnsupportedMapError, "file">) {
    super("maps/unsupported", message, facts);
  }
}

/** A file that a map needs and that was not given: a tile set, a template, a level. */
export class MissingMapFileError extends MapError {
  override get name(): string {
    return "MissingMapFileError";
  }
  constructor(message: string, facts: FactsOf<MissingMapFileError, "file">) {
    super("maps/missing-file", message, facts);
  }
}
