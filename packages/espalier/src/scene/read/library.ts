/**
 * Prefabs by name: found, read once, and checked for loops. Prefabs may contain prefabs; nothing recurses.
 *
 * One that is used several times is read separately, and instances copy its nodes. One that is used once is read in place, in the
 * file that uses it: so a chain of prefabs, each in the next, makes each entity once. With copies only, it would be made once
 * per level.
 */

import { describeValue, shortText } from "../../ecs/internal.ts";
import { reasonOf } from "../arguments.ts";
import type { SceneFile } from "../file.ts";
import type { JsonObject } from "../json/json.ts";
import { chainText } from "./chain-text.ts";
import type { PrefabAnswer, TemplateProblem } from "./collect.ts";
import { partNames } from "./composition.ts";
import { entriesIn, rootOf } from "./in-place.ts";
import { suggest } from "./nearest.ts";
import type { Template } from "./node.ts";
import { answerOf } from "./prefab-source.ts";
import { type Draft, openScene, readDraft } from "./read.ts";
import type { Reading } from "./reading.ts";
import { Report, type Source } from "./report.ts";
import { LazyTemplate, type TemplateNodes } from "./template.ts";

/**
 * Prefabs that contain others twice grow exponentially in a few lines; one read may produce at most this many entities
 * from instances.
 */
const mostExpanded = 2_000_000;

interface Frame {
  readonly file: string;
  readonly source: Source;
  /** The names of the prefabs it uses. */
  readonly needs: readonly string[];
  /** How often it uses each. */
  readonly times: ReadonlyMap<string, number>;
  at: number;
}

export class TemplateLibrary {
  private readonly reading: Reading;
  /** How many entities instances may still produce, in all files together. */
  private left = mostExpanded;
  /** By the file they come from. */
  private readonly byFile = new Map<string, PrefabAnswer>();
  /** The file, or the problem with it, by the file that refers and the name it uses. */
  private readonly answers = new Map<string, string | Template | TemplateProblem>();
  /** How often each file is used. */
  private readonly uses = new Map<string, number>();

  constructor(reading: Reading) {
    this.reading = reading;
  }

  /** Reads a scene with all prefabs it needs. */
  read(source: Source): Draft {
    this.prepare(source);
    return this.draft(source, source.text === undefined, false, this.reading);
  }

  /** Reads a scene as a prefab. `undefined` when it cannot be one; the report says why. */
  readTemplate(source: Source): Template | undefined {
    this.prepare(source);
    return this.template(source, source.file ?? "prefab");
  }

  private draft(source: Source, reused: boolean, isPrefab: boolean, reading: Reading): Draft {
    return readDraft(source, reading, {
      reused,
      isPrefab,
      template: (reference, from) => this.answerTo(reference, from),
      spend: (count) => {
        this.left -= count;
        return this.left >= 0;
      },
    });
  }

  private template(source: Source, file: string): Template | undefined {
    const made = this.nodesOf(source, file, this.reading);
    return made && this.lazily(source, file, () => made);
  }

  private nodesOf(source: Source, file: string, reading: Reading): TemplateNodes | undefined {
    const draft = this.draft(source, true, true, reading);
    const roots = draft.children.of(-1);
    if (roots.length !== 1) {
      const found =
        roots.length === 0
          ? "none"
          : `${roots.length} (${roots
              .slice(0, 8)
              .map((k) => shortText(draft.nodes[k].id))
              .join(", ")})`;
      reading.report.add(
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
    draft.byId.slots.renumber(newIndex);
    return { nodes, byId: draft.byId };
  }

  /** A prefab that is used once: read where it is used, and separately only on request. */
  private inPlace(source: Source, file: string, rootAt: number): PrefabAnswer {
    const read = () => {
      this.left = mostExpanded;
      return this.nodesOf(source, file, { ...this.reading, report: new Report() }) as TemplateNodes;
    };
    return { source, rootAt, template: this.lazily(source, file, read) };
  }

  private lazily(source: Source, file: string, read: () => TemplateNodes): Template {
    const { prefabs } = this.reading;
    return new LazyTemplate(source, file, { prefabs, usedBy: (from) => this.usedBy(from) }, read);
  }

  private usedBy(from: Source): (Source | undefined)[] {
    return Array.from(referencesIn(from.value as JsonObject).keys(), (reference) => {
      const answer = this.answerTo(reference, from);
      return answer !== undefined && "source" in answer ? answer.source : undefined;
    });
  }

  private answerTo(reference: string, from: Source): PrefabAnswer {
    const answer = this.answers.get(key(reference, from));
    return typeof answer === "string" ? this.byFile.get(answer) : answer;
  }

  /** Opens all needed prefabs, and reads those that are used more than once, in the order of their dependencies. */
  private prepare(source: Source): void {
    const first = this.frame(source.file ?? "", source);
    const stack = [first];
    /** The positions of files on the stack. */
    const open = new Map([[first.file, 0]]);
    const opened: Frame[] = [];
    while (stack.length > 0) {
      const frame = stack[stack.length - 1];
      if (frame.at < frame.needs.length) {
        const next = this.need(frame.needs[frame.at++], frame, stack, open);
        if (next === undefined) continue;
        open.set(next.file, stack.length);
        stack.push(next);
        continue;
      }
      stack.pop();
      open.delete(frame.file);
      if (frame !== first) opened.push(frame);
    }
    for (const { file, source } of opened) {
      const rootAt =
        this.uses.get(file) === 1 ? rootOf(source.value as JsonObject, this.reading.lenient) : undefined;
      const answer = rootAt === undefined ? this.template(source, file) : this.inPlace(source, file, rootAt);
      this.byFile.set(file, answer);
    }
  }

  private frame(file: string, source: Source): Frame {
    const times = referencesIn(source.value as JsonObject);
    return { file, source, needs: [...times.keys()], times, at: 0 };
  }

  /** Resolves one reference; returns what must be opened first, if anything. */
  private need(
    reference: string,
    user: Frame,
    stack: readonly Frame[],
    open: ReadonlyMap<string, number>,
  ): Frame | undefined {
    const asked = key(reference, user.source);
    if (this.answers.has(asked)) return undefined;
    // Inside a prefab the same name may mean another file.
    const given = user === stack[0] ? this.reading.given.get(reference) : undefined;
    const found = given ?? this.find(reference, user.source);
    if (given !== undefined || "code" in found) {
      this.answers.set(asked, found as Template | TemplateProblem);
      return undefined;
    }
    const { file, source } = found as { readonly file: string; readonly source: string | SceneFile };
    const loop = open.get(file);
    if (loop !== undefined) {
      const files = [...stack.slice(loop).map((frame) => frame.file), file];
      this.answers.set(asked, {
        code: "scene/prefab-loop",
        message: `the prefab ${describeValue(reference)} contains itself: ${chainText(files)}. Remove one of the instances.`,
      });
      return undefined;
    }
    this.answers.set(asked, file);
    const before = this.uses.get(file) ?? 0;
    this.uses.set(file, before + (user.times.get(reference) ?? 0));
    if (before > 0) return undefined;
    const opened = openScene(source, file, this.reading);
    return opened === undefined ? undefined : this.frame(file, opened);
  }

  private find(
    reference: string,
    from: Source,
  ): { readonly file: string; readonly source: string | SceneFile } | TemplateProblem {
    const { prefabs } = this.reading;
    const name = describeValue(reference);
    let message: string;
    try {
      const found = answerOf(prefabs, reference, from.file);
      if (found !== undefined) return found;
      const help =
        typeof prefabs === "function"
          ? "Check its name."
          : suggest(reference, Object.keys(prefabs), "prefabs");
      message = `there is no prefab ${name}. ${help}`;
    } catch (error) {
      message = `the prefab ${name} cannot be found: ${reasonOf(error)}`;
    }
    return { code: "scene/unknown-prefab", message };
  }
}

function key(reference: string, from: Source): string {
  return `${from.file ?? ""}\n${reference}`;
}

/** The names of all prefabs that the entities of a file are instances of, and how many of each. */
function referencesIn(file: JsonObject): Map<string, number> {
  // Parts of compositions are copied, never read in place: they count as used several times.
  const found = new Map(partNames(file).map((name) => [name, 2]));
  for (const { prefab } of entriesIn(file.entities)) {
    if (typeof prefab === "string") found.set(prefab, (found.get(prefab) ?? 0) + 1);
  }
  return found;
}
