/**
 * References from entities to others, checked before any of them exists.
 */
import { describeValue, type Entity } from "../../ecs/index.ts";
import { reasonOf } from "../arguments.ts";
import type { ReadContext } from "../codec.ts";
import type { SceneProblemCode } from "../errors.ts";
import { ownOf, setOwn } from "../json/parse.ts";
import type { IdSuggestions } from "./nearest.ts";
import type { LateValue, SceneNode } from "./node.ts";
import type { Report } from "./report.ts";

export interface KnownIds {
  readonly byId: ReadonlyMap<string, number>;
  readonly suggestions: IdSuggestions;
  /** Entities outside the scene that it may refer to. */
  readonly externals: ReadonlyMap<string, Entity>;
}

interface Complaint {
  readonly code: SceneProblemCode;
  readonly message: () => string;
}

/** Reports references to entities that are not in the scene, and what codecs say against values that hold some. */
export function checkReferences(
  nodes: readonly SceneNode[],
  known: KnownIds,
  report: Report,
  lenient: boolean,
): void {
  for (const node of nodes) {
    if (node.late === undefined) continue;
    for (const late of node.late) {
      const complaint = complaintOf(late, known);
      if (complaint === undefined) continue;
      const { codec, field } = late;
      report.add(
        complaint.code,
        node.place("components", codec.name, field.name),
        () => `${node.label}: ${codec.name}.${field.name}${complaint.message()}`,
      );
      if (lenient) keep(node, late);
    }
  }
}

function complaintOf({ field, json, scope }: LateValue, known: KnownIds): Complaint | undefined {
  let missing: string | undefined;
  const isKnown = (written: string) => {
    const id = scope === undefined ? written : scope(written);
    if (known.byId.has(id) || known.externals.has(id)) return true;
    missing ??= id;
    return false;
  };
  if (field.codec === undefined) {
    if (isKnown(json as string)) return undefined;
  } else {
    const context: ReadContext = {
      entity(id) {
        if (typeof id !== "string") throw new Error(notAnId(id));
        if (isKnown(id)) return notYet;
        throw new Error("it refers to an entity that is not in the scene.");
      },
    };
    try {
      field.codec.read(json, context);
      return undefined;
    } catch (error) {
      if (missing === undefined) {
        const why = reasonOf(error);
        return { code: "scene/invalid-value", message: () => `: ${why}` };
      }
    }
  }
  const id = missing as unknown as string;
  return {
    code: "scene/missing-reference",
    message: () =>
      ` refers to ${JSON.stringify(id)}, which is not in the scene. ${known.suggestions.for(id)}`,
  };
}

/** What a codec is told that asks for an entity by something else than its id. */
export function notAnId(id: unknown): string {
  return `its codec asks for the entity ${describeValue(id)}, and ids are texts.`;
}

/** What codecs get for an entity that will exist. They keep it; nobody looks at what they make of it. */
const notYet = 0 as Entity;

/** Takes a reference that leads nowhere out of the node, and remembers it for saving. */
function keep(node: SceneNode, late: LateValue): void {
  const { codec, field, json } = late;
  node.late = node.late?.filter((other) => other !== late);
  const references = { ...node.kept?.references };
  setOwn(references, codec.name, { ...ownOf(references, codec.name), [field.name]: json });
  node.kept = { ...node.kept, references };
}
