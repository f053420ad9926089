/**
 * From the entries of a file, nested or flat, to one list of nodes in the order of the text.
 *
 * An instance of a prefab becomes its root followed by all entities of the prefab with the overrides merged in. A prefab
 * that is used several times was read before, and its nodes are copied; one that is used once is read in place.
 */
import { describeValue } from "../../ecs/internal.ts";
import type { SceneProblemCode } from "../errors.ts";
import { entityKeys } from "../file.ts";
import { isJsonObject, type Json, type JsonObject, type JsonStep } from "../json/json.ts";
import { closeLevel } from "./close-level.ts";
import { composeParts } from "./compose.ts";
import { isComposed, partNames } from "./composition.ts";
import { Decoder } from "./decode.ts";
import { copyInstance, type ExpandHost, type InstanceEntry, overrideInside } from "./expand.ts";
import { readHeader } from "./header.ts";
import { Level, Slots } from "./level.ts";
import { suggest } from "./nearest.ts";
import { SceneNode, type Template } from "./node.ts";
import type { Reading } from "./reading.ts";
import type { Report, Source } from "./report.ts";
import { Siblings } from "./siblings.ts";

/** Finds the prefabs of a file. */
export interface PrefabHost {
  /** Whether the result will be used more than once. */
  readonly reused: boolean;
  /** Whether it is read as a prefab, for its instances. */
  readonly isPrefab: boolean;
  /** Requests a budget for that many entities from prefabs. */
  readonly spend: (count: number) => boolean;
  /** The prefab of that name, or the problem with it; `undefined` when that has been reported. */
  readonly template: (reference: string, source: Source) => PrefabAnswer;
}

export type PrefabAnswer = Template | PrefabInPlace | TemplateProblem | undefined;

/** A prefab that is used once, so that it can be read where it is used. */
export interface PrefabInPlace {
  readonly source: Source;
  readonly template: Template;
  /** The index of its root among the entities of the file. */
  readonly rootAt: number;
}

export interface TemplateProblem {
  readonly code: SceneProblemCode;
  readonly message: string;
}

const tooMany =
  "the instances of prefabs produce more than 2,000,000 entities. Prefabs that contain others several times grow fast: use fewer.";

interface Frame {
  readonly list: readonly Json[];
  readonly container?: SceneNode;
  /** The slot of the node that nested entities become children of. */
  readonly parent?: number;
  readonly via?: string | undefined;
  readonly level: Level;
  /** The index of the entity that is the root of a prefab. */
  readonly rootAt?: number;
  /** Called when it has been read completely. */
  readonly done?: () => void;
  at: number;
}

/** The nodes of a file and its prefabs by slot; empty slots where an entity was removed. */
export interface Collected {
  readonly nodes: readonly (SceneNode | undefined)[];
  readonly level: Level;
  readonly slots: Slots;
  readonly siblings: Siblings;
}

/** The nodes of a file's entities. Parents are set where nesting determines them. */
export function collect(source: Source, reading: Reading, prefabs: PrefabHost): Collected {
  const collector = new Collector(source, reading, prefabs);
  const file = source.value as JsonObject;
  if (isComposed(file)) collector.compose(partNames(file));
  else collector.run(file.entities as readonly Json[]);
  return collector;
}

class Collector implements ExpandHost {
  readonly nodes: (SceneNode | undefined)[] = [];
  readonly slots = new Slots(this.nodes);
  readonly siblings = new Siblings(this.nodes);
  level: Level;
  readonly report: Report;
  readonly decoder: Decoder;
  readonly reading: Reading;
  private readonly prefabs: PrefabHost;
  private readonly frames: Frame[] = [];

  constructor(source: Source, reading: Reading, prefabs: PrefabHost) {
    this.reading = reading;
    this.report = reading.report;
    this.prefabs = prefabs;
    this.decoder = new Decoder(reading, prefabs.reused);
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

  /** The file is a prefab that is composed of others. */
  compose(names: readonly string[]): void {
    const { source } = this.level;
    const parts: Template[] = [];
    [...new Set(names)].forEach((name) => {
      const answer = this.prefabs.template(name, source);
      const location = { source, path: ["compose", names.indexOf(name)] };
      if (answer === undefined) return;
      if ("code" in answer) {
        this.report.add(answer.code, location, `A composed prefab: ${answer.message}`);
        return;
      }
      const part = "rootAt" in answer ? answer.template : answer;
      const { id } = part.nodes[0];
      if (parts.some(({ nodes }) => nodes[0].id === id)) {
        const help = isComposed(part.source.value)
          ? `Rename ${part.file}: the id is the name of the file`
          : `Give the root in ${part.file} another id`;
        this.report.add(
          "scene/invalid-composition",
          location,
          `The roots of several of the prefabs have the id ${describeValue(id)}, by which their entities are told apart. ${help}.`,
        );
      } else if (!this.prefabs.spend(part.nodes.length)) {
        this.report.add("scene/invalid-prefab", location, tooMany);
      } else {
        parts.push(part);
      }
    });
    composeParts(this, parts);
  }

  /** Starts reading this file. */
  private enter(level: Level): void {
    const isInside = level.owner !== undefined;
    this.level = level;
    this.decoder.scope = isInside ? level : undefined;
    this.decoder.reused = isInside || this.prefabs.reused;
  }

  private entry(frame: Frame, at: number): void {
    const json = frame.list[at];
    const { level } = frame;
    const node = new SceneNode(level.source, frame.container, frame.via, at);
    if (!isJsonObject(json)) {
      this.report.add(
        "scene/wrong-shape",
        node.location(),
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
    let prefab: string | undefined;
    const { overrides } = json;
    for (const key in json) {
      const value = json[key];
      if (key === "prefab") {
        if (typeof value === "string" && value !== "") prefab = value;
        else if (!Array.isArray(value)) this.takes(node, key, "the name of a scene file", value);
        else {
          const why =
            'an entity is an instance of one prefab, got an array. Write a prefab that is composed of them, { "compose": [...], "entities": [] }, and name that.';
          this.shape(node, [key], why);
        }
      } else if (key === "parent") {
        if (frame.parent !== undefined) {
          const why =
            "the parent of a nested entity is the one that contains it. Remove parent, or list it outside.";
          this.shape(node, [key], why);
        } else if (typeof value === "string") node.parentId = value;
        else if (value !== null) this.takes(node, key, "the id of an entity", value);
      } else if (key !== "id" && key !== "overrides" && key !== "children") {
        this.part(node, key, value, entityKeys);
      }
    }
    if (frame.parent !== undefined) node.parent = frame.parent;
    if (prefab === undefined) {
      if (overrides !== undefined) {
        this.shape(node, ["overrides"], "overrides needs a prefab to override. Add prefab, or remove it.");
      }
      this.decoder.decode(node);
    } else if (this.instance(node, index, prefab, json)) {
      return;
    }
    this.children(node, index, json.children);
  }

  /** Entities that an entry or an override nests below an entity. */
  children(node: SceneNode, parent: number, json: Json | undefined, container = node, via?: string): void {
    const list = json === undefined ? [] : (this.list(node, "children", json) ?? []);
    if (list.length === 0) return;
    this.frames.push({ list, container, parent, via, level: this.level, at: 0 });
  }

  /** Returns `true` when the prefab is read next, followed by the overrides of the entry. */
  private instance(node: SceneNode, index: number, reference: string, json: JsonObject): boolean {
    const { overrides = {}, children } = json;
    const prefab = this.prefabs.template(reference, this.level.source);
    if (prefab === undefined || "code" in prefab) {
      if (prefab !== undefined) {
        this.report.add(prefab.code, node.location("prefab"), `${node.label}: ${prefab.message}`);
      }
      if (this.reading.lenient) {
        node.keep("keys", "prefab", reference);
        if (json.overrides !== undefined) node.keep("keys", "overrides", overrides);
        this.decoder.decode(node);
      }
      return false;
    }
    if (!isJsonObject(overrides)) {
      this.takes(node, "overrides", "an object by id or path", overrides);
      return false;
    }
    if ("rootAt" in prefab) {
      this.readInPlace(node, index, prefab, { template: prefab.template, reference, overrides }, children);
      return true;
    }
    if (this.prefabs.spend(prefab.nodes.length)) {
      copyInstance(this, node, index, { template: prefab, reference, overrides });
    } else {
      this.report.add("scene/invalid-prefab", node.location("prefab"), `${node.label}: ${tooMany}`);
    }
    return false;
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
    readHeader(source, this.reading);
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
        ? `${describeValue(value)} contains "/", which leads into prefab instances`
        : `${describeValue(value)} is not a string with at least one character`;
    this.report.add(
      "scene/invalid-id",
      node.location("id"),
      `An entity has an id that cannot be used: ${why}. Choose another, or leave it out and one is generated.`,
    );
  }

  /** The keys that entries and overrides have in common. */
  part(node: SceneNode, key: string, value: Json, known: readonly string[]): void {
    if (key === "name") {
      const isName = typeof value === "string" && value !== "" && value !== "." && value !== "..";
      node.name = isName || value === null ? value : undefined;
      if (node.name === undefined)
        this.takes(node, key, 'a string that is not empty and neither "." nor ".."', value);
    } else if (key === "components") {
      if (isJsonObject(value)) node.components = this.forInstances(value);
      else this.takes(node, key, "an object of components by name", value);
    } else if (key === "order") {
      node.parts.order = this.list(node, key, value);
    } else {
      this.report.add(
        "scene/unknown-key",
        node.keyLocation(key),
        () => `${node.label} has an unknown key ${describeValue(key)}. ${suggest(key, known, "keys")}`,
      );
      if (this.reading.lenient) node.keep("keys", key, value);
    }
  }

  /** The components of a prefab that instances get. */
  private forInstances(components: JsonObject): JsonObject {
    const { prefabOnly } = this.reading.registry;
    if (prefabOnly.size === 0 || !(this.prefabs.isPrefab || this.level.owner !== undefined))
      return components;
    return Object.fromEntries(Object.entries(components).filter(([name]) => !prefabOnly.has(name)));
  }

  private list(node: SceneNode, key: string, value: Json): readonly Json[] | undefined {
    if (Array.isArray(value)) return value as readonly Json[];
    this.takes(node, key, "an array", value);
    return undefined;
  }

  /** Reports a key whose value has the wrong form. */
  takes(node: SceneNode, key: string, what: string, value: Json): void {
    this.shape(node, [key], `${key} takes ${what}, got ${describeValue(value)}.`);
  }

  shape(node: SceneNode, steps: readonly JsonStep[], message: string): void {
    this.report.add("scene/wrong-shape", node.location(...steps), `${node.label}: ${message}`);
  }
}
