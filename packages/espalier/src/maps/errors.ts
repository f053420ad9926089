/**
 * Every error this room throws. Parts that are not supported are listed instead: see `ImportedMap.notImported`.
 */
import { EspalierError, type FactsOf } from "../ecs/index.ts";

/** A map that cannot be imported. */
export class MapError extends EspalierError {
  override get name(): string {
    return "MapError";
  }
  /** The file that it is about; empty if none was named. */
  declare readonly file: string;
}

/** A file that is not a map, or a map that contradicts itself. */
export class InvalidMapError extends MapError {
  override get name(): string {
    return "InvalidMapError";
  }
  constructor(message: string, facts: FactsOf<InvalidMapError, "file">) {
    super("maps/invalid-map", message, facts);
  }
}

/** A map in an unsupported format: another setting of the tool writes a supported one. */
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
