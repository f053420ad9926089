/**
 * From the entries of a file, nested or flat, to one list of nodes in the order of the text.
 *
 * An instance of a prefab becomes its root and, behind it, all entities of the prefab with the overrides merged in. A prefab
 * that is used several times was read before, and its nodes are copied; one that is used once is read in place.
 */
import type { Entity } from "../../ecs/index.ts";
import { describeValue } from "../../ecs/internal.ts";
import type { SceneProblemCode } from "../errors.ts";
import { entityKeys } from "../file.ts";
import { isJsonObject, type Json, type JsonObject, type JsonStep } from "../json/json.ts";
import type { Registry } from "../registry.ts";
import { closeLevel } from "./close-level.ts";
import { Decoder } from "./decode.ts";
import { copyInstance, type ExpandHost, type InstanceEntry, overrideInside } from "./expand.ts";
import { Level, Slots } from "./level.ts";
import { suggest } from "./nearest.ts";
import { SceneNode, type Template } from "./node.ts";
import type { Report, Source } from "./report.ts";
import { Siblings } from "./siblings.ts";

export interface CollectOptions {
  readonly lenient: boolean;
  readonly keepUnknown: boolean;
  readonly reused: boolean;
  /** Entities outside the scene that it may refer to, by the id it uses for them. */
  readonly externals: ReadonlyMap<string, Entity>;
  /** Asks for leave to make that many entities from prefabs. */
  readonly spend: (count: number) => boolean;
  /** The prefab of that name, or the problem with it; nothing when that has been reported. */
  readonly template: (reference: string, source: Source) => PrefabAnswer;
  /** Looks at what a file says besides its entities. */
  readonly header: (source: Source) => void;
}

export type PrefabAnswer = Template | PrefabInPlace | TemplateProblem | undefined;

/** A prefab that is used once, so that it can be read where it is used. */
export interface PrefabInPlace {
  readonly source: Source;
  readonly template: Template;
  /** Its root's place among the entities of the file. */
  readonly rootAt: number;
}

export interface TemplateProblem {
  readonly code: SceneProblemCode;
  readonly message: string;
}

interface Frame {
  readonly list: readonly Json[];
  readonly container?: SceneNode;
  /** The slot of the node that nested entities become children of. */
  readonly parent?: number;
  readonly via?: string | undefined;
  readonly level: Level;
  /** The place of the entity that is the root of a prefab. */
  readonly rootAt?: number;
  /** Called when all of it has been read. */
  readonly done?: () => void;
  at: number;
}

/** What a file and the prefabs in it come to, by slots; nothing where an entity was removed. */
export interface Collected {
  readonly nodes: readonly (SceneNode | undefined)[];
  readonly level: Level;
  readonly slots: Slots;
  readonly siblings: Siblings;
}

/** The nodes of a file's entities. Parents are set where nesting tells them. */
export function collect(
  source: Source,
  entities: readonly Json[],
  registry: Registry,
  report: Report,
  options: CollectOptions,
): Collected {
  const collector = new Collector(source, registry, report, options);
  collector.run(entities);
  return collector;
}

class Collector implements ExpandHost {
  readonly nodes: (SceneNode | undefined)[] = [];
  readonly slots = new Slots(this.nodes);
  readonly siblings = new Siblings(this.nodes);
  level: Level;
  readonly report: Report;
  readonly decoder: Decoder;
  readonly options: CollectOptions;
  private readonly frames: Frame[] = [];

  constructor(source: Source, registry: Registry, report: Report, options: CollectOptions) {
    this.report = report;
    this.options = options;
    this.decoder = new Decoder(registry, report, options, options.reused);
    this.level = new Level(source, this.slots, undefined, -1, 0);
  }

  run(entities: readonly Json[]): void {
    const { level } = this;
    this.frames.push({ list: entities, level, at: 0 });
    while (this.frames.length > 0) {
      const frame = this.frames[this.frames.length - 1];
      if (frame.at < frame.list.length) {
        if (frame.level !== this.level) this.enter(frame.level);
        this.entry(frame, frame.at++);
      } else {
        this.frames.pop();
        frame.done?.();
      }
    }
    this.enter(level);
  }

  /** What follows is about this file. */
  private enter(level: Level): void {
    const isInside = level.owner !== undefined;
    this.level = level;
    this.decoder.scope = isInside ? level : undefined;
    this.decoder.reused = isInside || this.options.reused;
  }

  /** Makes `list` be read next, as children of `parent`. */
  nest(list: readonly Json[], container: SceneNode, parent: number, via: string | undefined): void {
    this.frames.push({ list, container, parent, via, level: this.level, at: 0 });
  }

  private entry(frame: Frame, at: number): void {
    const json = frame.list[at];
    const { level } = frame;
    const node = new SceneNode(level.source, frame.container, frame.via, at);
    if (!isJsonObject(json)) {
      this.report.add(
        "scene/wrong-shape",
        node.place(),
        `An entity is an object, got ${describeValue(json)}.`,
      );
      return;
    }
    const isRoot = frame.rootAt === at;
    const index = isRoot ? level.slot : this.nodes.length;
    this.nodes[index] = node;
    if (level.owner !== undefined) node.parts.home = level;
    // First, because every message names the entity.
    if (json.id !== undefined) this.id(node, json.id);
    let children: Json | undefined;
    let overrides: Json | undefined;
    let prefab: string | undefined;
    for (const key in json) {
      const value = json[key];
      switch (key) {
        case "id":
          break;
        case "name":
          node.name = value === null ? null : this.name(node, value);
          break;
        case "parent":
          this.parent(node, value, frame);
          break;
        case "prefab":
          if (typeof value === "string" && value !== "") prefab = value;
          else this.shape(node, [key], `prefab takes the name of a scene file, got ${describeValue(value)}.`);
          break;
        case "components":
          if (isJsonObject(value)) node.components = value;
          else
            this.shape(
              node,
              [key],
              `components takes an object of components by name, got ${describeValue(value)}.`,
            );
          break;
        case "overrides":
          overrides = value;
          break;
        case "order":
          node.parts.order = this.list(node, key, value);
          break;
        case "children":
          children = value;
          break;
        default:
          this.unknownKey(node, [], key, value, entityKeys);
      }
    }
    if (frame.parent !== undefined) node.parent = frame.parent;
    if (prefab === undefined) {
      if (overrides !== undefined) {
        this.shape(node, ["overrides"], "overrides needs a prefab to override. Add prefab, or remove it.");
      }
      this.decoder.decode(node);
    } else if (this.instance(node, index, prefab, overrides, children)) {
      return;
    }
    this.children(node, index, children);
  }

  private children(node: SceneNode, index: number, children: Json | undefined): void {
    const list = children === undefined ? undefined : this.list(node, "children", children);
    if (list === undefined || list.length === 0) return;
    this.nest(list, node, index, undefined);
  }

  /** `true` when the prefab is read next, and then what the entry says about it. */
  private instance(
    node: SceneNode,
    index: number,
    reference: string,
    overrides: Json | undefined,
    children: Json | undefined,
  ): boolean {
    const prefab = this.options.template(reference, this.level.source);
    if (prefab === undefined || "code" in prefab) {
      if (prefab !== undefined) {
        this.report.add(prefab.code, node.place("prefab"), `${node.label}: ${prefab.message}`);
      }
      if (this.options.lenient) {
        node.keep("keys", "prefab", reference);
        if (overrides !== undefined) node.keep("keys", "overrides", overrides);
        this.decoder.decode(node);
      }
      return false;
    }
    if (overrides !== undefined && !isJsonObject(overrides)) {
      this.shape(
        node,
        ["overrides"],
        `overrides takes an object by id or path, got ${describeValue(overrides)}.`,
      );
      return false;
    }
    const said: JsonObject = overrides ?? {};
    if ("rootAt" in prefab) {
      const entry = { template: prefab.template, reference, overrides: said };
      this.readInPlace(node, index, prefab, entry, children);
      return true;
    }
    this.copy(node, index, { template: prefab, reference, overrides: said });
    return false;
  }

  private copy(node: SceneNode, index: number, entry: InstanceEntry): void {
    const { template } = entry;
    if (!this.options.spend(template.nodes.length)) {
      this.report.add(
        "scene/invalid-prefab",
        node.place("prefab"),
        `${node.label}: the instances of prefabs come to more than 2,000,000 entities. Prefabs that contain others several times grow fast: use fewer.`,
      );
      return;
    }
    copyInstance(this, node, index, entry);
  }

  private readInPlace(
    node: SceneNode,
    index: number,
    { source, rootAt }: PrefabInPlace,
    entry: InstanceEntry,
    children: Json | undefined,
  ): void {
    const outside = this.level;
    const inside = new Level(source, this.slots, node, index, this.nodes.length);
    this.options.header(source);
    const done = () => {
      this.enter(inside);
      const end = this.nodes.length;
      closeLevel(this, inside);
      this.enter(outside);
      overrideInside(this, node, inside, end, entry);
      this.children(node, index, children);
    };
    const list = (source.value as JsonObject).entities as readonly Json[];
    this.frames.push({ list, level: inside, rootAt, done, at: 0 });
  }

  // Parts of an entry --------------------------------------------------------------------------------------------------

  private id(node: SceneNode, value: Json): void {
    if (typeof value === "string" && value !== "" && !value.includes("/")) {
      node.id = value;
      return;
    }
    const why =
      typeof value === "string" && value !== ""
        ? `${JSON.stringify(value)} contains "/", which leads into prefab instances`
        : `${describeValue(value)} is not a text with at least one character`;
    this.report.add(
      "scene/invalid-id",
      node.place("id"),
      `An entity has an id that cannot be used: ${why}. Choose another, or leave it out and one is generated.`,
    );
  }

  name(node: SceneNode, value: Json): string | undefined {
    if (typeof value === "string" && value !== "" && value !== "." && value !== "..") return value;
    this.shape(
      node,
      ["name"],
      `name takes a text that is not empty and neither "." nor "..", got ${describeValue(value)}.`,
    );
    return undefined;
  }

  private parent(node: SceneNode, value: Json, frame: Frame): void {
    if (frame.parent !== undefined) {
      this.shape(
        node,
        ["parent"],
        "a nested entity has the parent it stands in. Remove parent, or list it outside.",
      );
    } else if (typeof value === "string") {
      node.parentId = value;
    } else if (value !== null) {
      this.shape(node, ["parent"], `parent takes the id of an entity, got ${describeValue(value)}.`);
    }
  }

  list(node: SceneNode, key: string, value: Json): readonly Json[] | undefined {
    if (Array.isArray(value)) return value as readonly Json[];
    this.shape(node, [key], `${key} takes a list, got ${describeValue(value)}.`);
    return undefined;
  }

  shape(node: SceneNode, steps: readonly JsonStep[], message: string): void {
    this.report.add("scene/wrong-shape", node.place(...steps), `${node.label}: ${message}`);
  }

  unknownKey(
    node: SceneNode,
    steps: readonly JsonStep[],
    key: string,
    value: Json,
    known: readonly string[],
  ): void {
    this.report.add(
      "scene/unknown-key",
      node.keyPlace(...steps, key),
      () => `${node.label} has an unknown key ${JSON.stringify(key)}. ${suggest(key, known, "keys")}`,
    );
    if (this.options.lenient) node.keep("keys", key, value);
  }
}
