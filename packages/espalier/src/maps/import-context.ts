/**
 * What all parts of one import share: options, notes, and functions that write into a scene.
 */
import { checkOptions, expectArguments } from "../ecs/index.ts";
import type { EntityEntry, Json, SceneFile } from "../scene/index.ts";
import { InvalidMapError, MissingMapFileError } from "./errors.ts";
import type { Components, ImportedMap, ImportMapOptions, NotImported } from "./imported-map.ts";

/** Unchecked JSON. */
export type Loose = { readonly [key: string]: unknown };

/** The maximum number of cells of a layer, which limits the memory that a short file can take. */
export const MOST_CELLS = 2 ** 25;

export class ImportContext {
  readonly file: string;
  readonly isUp: boolean;
  private readonly options: ImportMapOptions;
  private readonly notes: NotImported[] = [];
  private readonly textures = new Set<string>();
  private readonly files = new Set<string>();
  private readonly ids = new Set<string>();
  /** Parents first, siblings in order. */
  private readonly entities: EntityEntry[] = [];

  constructor(options: ImportMapOptions) {
    checkOptions(true, "import a map", options, {
      file: "string",
      read: "function",
      yAxis: ["up", "down"],
      texture: "function",
      prefabs: "anything",
    });
    const { prefabs } = options;
    if (prefabs !== undefined && typeof prefabs !== "function")
      expectArguments("import a map", ["prefabs", prefabs, "list"]);
    this.options = options;
    this.file = options.file ?? "";
    this.isUp = options.yAxis !== "down";
  }

  /** The name of the map in messages. */
  get label(): string {
    return this.file === "" ? "the map" : this.file;
  }

  /** Converts a point of the map, which has y downwards. */
  point(x: number, y: number): { x: number; y: number } {
    return { x: short(x), y: short(this.isUp ? -y : y) };
  }

  /** The same as fields of a `Transform2D`, without those that are 0. */
  positionFields(x: number, y: number): { readonly [field: string]: number } {
    const point = this.point(x, y);
    return { ...(point.x === 0 ? {} : { x: point.x }), ...(point.y === 0 ? {} : { y: point.y }) };
  }

  /** Records a part that is not imported. */
  note(where: string, what: string, kept = false): void {
    this.notes.push({ where, what, kept });
  }

  /** The error for an invalid map, to be thrown. */
  invalid(why: string): InvalidMapError {
    return new InvalidMapError(`Cannot import ${this.label}: ${why}.`, { file: this.file });
  }

  texture(path: string): string {
    const name = this.options.texture === undefined ? path : this.options.texture(path);
    if (typeof name !== "string")
      throw this.invalid(`texture() gave ${String(name)} for ${path}, not a name`);
    this.textures.add(name);
    return name;
  }

  prefabOf(className: string): string | undefined {
    const { prefabs = [] } = this.options;
    if (className === "") return undefined;
    if (typeof prefabs === "function") return prefabs(className);
    return prefabs.includes(className) ? className : undefined;
  }

  /** Another file, parsed. */
  async read(path: string, what: string): Promise<Loose> {
    this.files.add(path);
    const { read } = this.options;
    const advice =
      read === undefined
        ? "Give it with read: (path) => …, or embed it into the map"
        : "Check the path that the map names, and what read() gives for it";
    let content: string | object | undefined;
    let cause: unknown;
    try {
      content = await read?.(path);
    } catch (error) {
      cause = error;
    }
    if (content === undefined || content === null) {
      throw new MissingMapFileError(
        `Cannot import ${this.label}: its ${what} ${path} is missing${cause === undefined ? "" : ` (${String(cause)})`}. ${advice}.`,
        { file: path, cause },
      );
    }
    return parseMap(content, path);
  }

  /** An unused id: the wanted one, or that with a number appended. */
  private id(wanted: string): string {
    const plain = wanted.replaceAll("/", ".");
    let id = plain;
    for (let k = 2; this.ids.has(id); k++) id = `${plain}.${k}`;
    this.ids.add(id);
    return id;
  }

  /** Adds an entity below another, or as a root. Returns its id. */
  add(entry: Omit<EntityEntry, "children" | "parent">, parent: string | undefined): string {
    const { components = {}, ...rest } = entry;
    const id = this.id(entry.id ?? "entity");
    this.entities.push({
      ...rest,
      id,
      ...(parent === undefined ? {} : { parent }),
      ...(Object.keys(components).length === 0 ? {} : { components }),
    });
    return id;
  }

  done(): ImportedMap {
    const scene: SceneFile = { entities: this.entities };
    return {
      scene,
      notImported: this.notes,
      textures: [...this.textures],
      files: [...this.files],
    };
  }
}

/** Rounds a number to the precision of a 32-bit float, in as few digits as possible. */
export function short(value: number): number {
  return Number(value.toPrecision(7)) + 0;
}

/** Parses a text, or takes a value that is already parsed. */
export function parseMap(content: unknown, file: string): Loose {
  const label = file === "" ? "the map" : file;
  let json = content;
  if (typeof content === "string") {
    if (/^\s*(?:\uFEFF)?\s*</.test(content))
      throw new InvalidMapError(
        `Cannot import ${label}: it is XML. Save it as JSON: in Tiled, File > Export As… > JSON map files (.tmj), or .tsj for a tile set.`,
        { file },
      );
    try {
      json = JSON.parse(content);
    } catch (cause) {
      throw new InvalidMapError(
        `Cannot import ${label}: it is not JSON (${String(cause)}). Save it as .tmj with Tiled, or as .ldtk with LDtk.`,
        { file, cause },
      );
    }
  }
  if (typeof json === "object" && json !== null && !Array.isArray(json)) return json as Loose;
  throw new InvalidMapError(
    `Cannot import ${label}: it is not an object. Give the text of a map or what it was parsed to.`,
    { file },
  );
}

/** Readers of unchecked JSON. */
export const asNumber = (value: unknown, otherwise = 0): number =>
  typeof value === "number" && Number.isFinite(value) ? value : otherwise;
export const asText = (value: unknown): string => (typeof value === "string" ? value : "");
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const asObject = (value: unknown): Loose => Object(value ?? {}) as Loose;

/** Adds values of properties: to components if their names refer to one, to `Props` otherwise. */
export function addProperties(components: Components, properties: Iterable<readonly [string, Json]>): void {
  for (const [name, value] of properties) {
    const [, component, field] = /^([A-Z]\w*)[.:](\w+)$/.exec(name) ?? [];
    if (component !== undefined && field !== undefined)
      components[component] = { ...components[component], [field]: value };
    else if (/^[A-Z]/.test(name) && typeof value === "object" && value !== null && !Array.isArray(value))
      components[name] = { ...components[name], ...(value as { [field: string]: Json }) };
    else addProp(components, name, value);
  }
}

export function addProp(components: Components, name: string, value: Json): void {
  const props = components.Props ?? {};
  components.Props = { ...props, values: { ...(props.values as { [key: string]: Json }), [name]: value } };
}
