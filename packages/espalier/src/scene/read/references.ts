/**
 * References between entities, checked before any of these exists.
 */
import { describeValue, type Entity } from "../../ecs/index.ts";
import { ownOf, setOwn } from "../../history/internal.ts";
import { reasonOf } from "../arguments.ts";
import type { ReadContext } from "../codec.ts";
import type { SceneProblemCode } from "../errors.ts";
import type { IdSuggestions } from "./nearest.ts";
import type { IdScope, LateValue, SceneNode } from "./node.ts";
import type { Reading } from "./reading.ts";

export interface KnownIds {
  readonly byId: Pick<IdScope, "find">;
  readonly suggestions: IdSuggestions;
  /** Entities outside the scene that it may refer to. */
  readonly externals: ReadonlyMap<string, Entity>;
}

interface Complaint {
  readonly code: SceneProblemCode;
  readonly message: () => string;
}

/**
 * Reports references of a node to entities that are not in the scene, and errors of codecs for values that hold references.
 *
 * @param level - The file that is read in place, whose references are checked; all if left out.
 */
export function checkReferences(
  node: SceneNode,
  known: KnownIds,
  level: IdScope | undefined,
  { report, lenient }: Reading,
): void {
  for (const late of node.rare.late) {
    if (level !== undefined && late.scope !== level) continue;
    const complaint = complaintOf(late, known, level);
    if (complaint === undefined) continue;
    const { codec, field } = late;
    const steps = ["components", codec.name, field.name];
    report.add(
      complaint.code,
      level === undefined ? node.outerLocation(...steps) : node.location(...steps),
      () =>
        `${level === undefined ? node.outerLabel : node.label}: ${codec.name}.${field.name}${complaint.message()}`,
    );
    if (lenient) keep(node, late);
    // Said once is enough.
    else if (level !== undefined) forget(node, late);
  }
}

function complaintOf(
  { field, json, scope }: LateValue,
  known: KnownIds,
  level: IdScope | undefined,
): Complaint | undefined {
  let missing: string | undefined;
  const inner = scope === level ? undefined : scope;
  const isKnown = (written: string) => {
    if (inner !== undefined) {
      if (inner.find(written) !== undefined) return true;
    } else if (known.byId.find(written) !== undefined || known.externals.has(written)) return true;
    missing ??= inner === undefined ? written : inner.outerId(written);
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
    message: () => ` refers to ${describeValue(id)}, which is not in the scene. ${known.suggestions.for(id)}`,
  };
}

/** The indices of the nodes that ids in a value refer to. */
export function targetsOf({ field, json, scope }: LateValue, byId: IdScope): (number | undefined)[] {
  const found: (number | undefined)[] = [];
  const entity = (id: string) => {
    found.push((scope ?? byId).find(id));
    return notYet;
  };
  if (field.codec === undefined) entity(json as string);
  else field.codec.read(json, { entity });
  return found;
}

/** The error for a codec that requests an entity by something other than its id. */
export function notAnId(id: unknown): string {
  return `its codec asks for the entity ${describeValue(id)}, and ids are strings.`;
}

/** A placeholder that codecs get for an entity that will exist; their result is not used. */
const notYet = 0 as Entity;

/** Removes an unresolved reference from the node, and keeps it for saving. */
function keep(node: SceneNode, late: LateValue): void {
  const { codec, field, json } = late;
  forget(node, late);
  const { kept } = node.rare;
  const references = { ...kept?.references };
  setOwn(references, codec.name, { ...ownOf(references, codec.name), [field.name]: json });
  node.parts.kept = { ...kept, references };
}

function forget(node: SceneNode, late: LateValue): void {
  node.parts.late = node.rare.late.filter((other) => other !== late);
}
