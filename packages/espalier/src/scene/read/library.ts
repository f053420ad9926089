/**
 * Prefabs by name: found, read once, and checked for loops. Prefabs may contain prefabs; nothing recurses.
 */

import { reasonOf } from "../arguments.ts";
import type { SceneFile } from "../file.ts";
import { isJsonObject, type Json, type JsonObject } from "../json/json.ts";
import type { Registry } from "../registry.ts";
import type { CollectOptions, TemplateProblem } from "./collect.ts";
import { suggest } from "./nearest.ts";
import type { Template } from "./node.ts";
import { NodeIds } from "./node-ids.ts";
import type { PrefabSource, Prefabs } from "./prefab-source.ts";
import { type Draft, openScene, readDraft } from "./read.ts";
import type { Report, Source } from "./report.ts";

/**
 * Prefabs that contain each other twice grow without end in a few lines; what is read in one go may come to this many entities
 * that come with instances.
 */
const mostExpanded = 2_000_000;

type Answer = Template | TemplateProblem | undefined;

export interface LibraryOptions extends Omit<CollectOptions, "template" | "reused" | "spend"> {
  readonly thorough: boolean;
  /** Prefabs that have been read already, by the name that the scene uses. */
  readonly given: ReadonlyMap<string, Template>;
}

interface Frame {
  readonly file: string;
  readonly source: Source;
  readonly needs: readonly string[];
  at: number;
}

export class TemplateLibrary {
  private readonly registry: Registry;
  private readonly prefabs: Prefabs;
  private readonly report: Report;
  private readonly options: LibraryOptions;
  /** By the file they come from. */
  private readonly byFile = new Map<string, Answer>();
  /** By the file that refers and the name it uses. */
  private readonly answers = new Map<string, Answer>();
  /** How many entities instances have come to, in all files together. */
  private spent = 0;

  constructor(registry: Registry, prefabs: Prefabs, report: Report, options: LibraryOptions) {
    this.registry = registry;
    this.prefabs = prefabs;
    this.report = report;
    this.options = options;
  }

  /** Reads a scene with all prefabs it needs. */
  read(source: Source): Draft {
    this.prepare({ file: source.file ?? "", source, needs: referencesIn(source.value as JsonObject), at: 0 });
    return this.draft(source, source.text === undefined);
  }

  /** Reads a scene as a prefab. Nothing when it cannot be one; the report says why. */
  readTemplate(source: Source): Template | undefined {
    this.prepare({ file: source.file ?? "", source, needs: referencesIn(source.value as JsonObject), at: 0 });
    return this.template(source, source.file ?? "prefab");
  }

  private draft(source: Source, reused: boolean): Draft {
    return readDraft(source, this.registry, this.report, {
      ...this.options,
      reused,
      template: (reference, from) => this.answers.get(key(reference, from)),
      spend: (count) => {
        this.spent += count;
        return this.spent <= mostExpanded;
      },
    });
  }

  private template(source: Source, file: string): Template | undefined {
    const draft = this.draft(source, true);
    const roots = draft.children.of(-1);
    if (roots.length !== 1) {
      const found =
        roots.length === 0
          ? "none"
          : `${roots.length} (${roots
              .slice(0, 8)
              .map((k) => draft.nodes[k].id)
              .join(", ")})`;
      this.report.add(
        "scene/invalid-prefab",
        { source, path: ["entities"] },
        `A prefab has exactly one root, ${file} has ${found}. Put them under one entity.`,
      );
      return undefined;
    }
    const nodes = Array.from(draft.order, (k) => draft.nodes[k]);
    const newIndex = new Int32Array(nodes.length);
    draft.order.forEach((k, at) => {
      newIndex[k] = at;
    });
    for (const node of nodes) if (node.parent >= 0) node.parent = newIndex[node.parent];
    return { source, file, nodes, byId: new NodeIds(nodes), prefabs: this.prefabs };
  }

  /** Reads all prefabs that are needed, those first that the others need. */
  private prepare(first: Frame): void {
    const stack = [first];
    while (stack.length > 0) {
      const frame = stack[stack.length - 1];
      if (frame.at < frame.needs.length) {
        const next = this.need(frame.needs[frame.at++], frame.source, stack);
        if (next !== undefined) stack.push(next);
        continue;
      }
      stack.pop();
      if (frame === first) return;
      this.byFile.set(frame.file, this.template(frame.source, frame.file));
      const user = stack[stack.length - 1];
      this.answers.set(key(user.needs[user.at - 1], user.source), this.byFile.get(frame.file));
    }
  }

  /** Finds out about one reference; what must be read first, if anything. */
  private need(reference: string, from: Source, stack: readonly Frame[]): Frame | undefined {
    const asked = key(reference, from);
    if (this.answers.has(asked)) return undefined;
    const given = this.options.given.get(reference);
    if (given !== undefined) {
      this.answers.set(asked, given);
      return undefined;
    }
    const found = this.find(reference, from);
    if ("code" in found) {
      this.answers.set(asked, found);
      return undefined;
    }
    const { file, source } = found;
    const loop = stack.findIndex((frame) => frame.file === file);
    if (loop >= 0) {
      const files = [...stack.slice(loop).map((frame) => frame.file), file];
      this.answers.set(asked, {
        code: "scene/prefab-loop",
        message: `the prefab ${JSON.stringify(reference)} contains itself: ${files.join(" > ")}. Remove one of the instances.`,
      });
      return undefined;
    }
    if (this.byFile.has(file)) {
      this.answers.set(asked, this.byFile.get(file));
      return undefined;
    }
    const opened = openScene(source, file, this.registry, this.report, this.options.thorough);
    if (opened === undefined) {
      this.byFile.set(file, undefined);
      this.answers.set(asked, undefined);
      return undefined;
    }
    return { file, source: opened, needs: referencesIn(opened.value as JsonObject), at: 0 };
  }

  private find(
    reference: string,
    from: Source,
  ): { readonly file: string; readonly source: string | SceneFile } | TemplateProblem {
    const { prefabs } = this;
    let help: string;
    if (typeof prefabs === "function") {
      let found: PrefabSource | undefined;
      try {
        found = prefabs(reference, from.file);
        help = "Check its name.";
      } catch (error) {
        help = reasonOf(error);
      }
      if (found !== undefined && found !== null) return sourceOf(found, reference);
    } else {
      if (Object.hasOwn(prefabs, reference)) return { file: reference, source: prefabs[reference] };
      help = suggest(reference, Object.keys(prefabs), "prefabs");
    }
    return {
      code: "scene/unknown-prefab",
      message: `there is no prefab ${JSON.stringify(reference)}. ${help}`,
    };
  }
}

/** The answer of a function that gives prefabs; it may be anything. */
function sourceOf(
  found: PrefabSource,
  reference: string,
): { readonly file: string; readonly source: string | SceneFile } {
  if (typeof found !== "object" || !Object.hasOwn(found, "source")) {
    return { file: reference, source: found as string | SceneFile };
  }
  const { file, source } = found as { readonly file: unknown; readonly source: string | SceneFile };
  return { file: typeof file === "string" ? file : reference, source };
}

function key(reference: string, from: Source): string {
  return `${from.file ?? ""}\n${reference}`;
}

/** The names of all prefabs that the entities of a file are instances of. */
function referencesIn(file: JsonObject): string[] {
  const found = new Set<string>();
  const stack: Json[] = [file.entities];
  while (stack.length > 0) {
    const list = stack.pop();
    if (!Array.isArray(list)) continue;
    for (const entry of list as readonly Json[]) {
      if (!isJsonObject(entry)) continue;
      if (typeof entry.prefab === "string") found.add(entry.prefab);
      if (entry.children !== undefined) stack.push(entry.children);
      if (!isJsonObject(entry.overrides)) continue;
      for (const override of Object.values(entry.overrides)) {
        if (isJsonObject(override) && override.children !== undefined) stack.push(override.children);
      }
    }
  }
  return [...found];
}
