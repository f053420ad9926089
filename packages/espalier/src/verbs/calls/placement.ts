/** The position of a new or moved entity among its siblings: parameters that several verbs share. */
import type { Entity, EntityLike } from "../../ecs/index.ts";
import type { AttachOptions, Hierarchy } from "../../hierarchy/index.ts";
import { VerbError } from "../errors.ts";
import type { ParameterSchemas } from "../parameters/schema.ts";
import type { VerbContext } from "../verb.ts";

/** A position among siblings; last if nothing is given. */
export interface Placement {
  /** The position among the siblings, from 0. */
  readonly at?: number;
  /** The sibling before which it is placed. */
  readonly before?: string;
  /** The sibling after which it is placed. */
  readonly after?: string;
}

export const placementParameters: ParameterSchemas<keyof Placement> = {
  at: { type: "integer", minimum: 0, description: "Position among the siblings, from 0; last if left out." },
  before: { type: "string", description: "The sibling that it is put before." },
  after: { type: "string", description: "The sibling that it is put behind." },
};

type SiblingPositionOptions = Pick<AttachOptions, "at" | "before" | "after">;

/** The placement as options of the hierarchy; `undefined` when none was given. */
export function positionOf(
  { find }: VerbContext,
  { at, before, after }: Placement,
  verb: string,
): SiblingPositionOptions | undefined {
  const given = [at, before, after].filter((one) => one !== undefined).length;
  if (given === 0) return undefined;
  if (given > 1) {
    throw new VerbError(
      `Cannot run ${verb}: at, before and after exclude each other. Give one of them.`,
      "verbs/invalid-parameters",
      { verb },
    );
  }
  if (at !== undefined) return { at };
  return before !== undefined ? { before: find(before) } : { after: find(after as string) };
}

/** Moves an entity to a position among its siblings. */
export function moveTo(tree: Hierarchy, entity: Entity, position: SiblingPositionOptions): void {
  const { at, before, after } = position;
  if (at !== undefined) {
    const last = tree.childCount(tree.parentOf(entity)) - 1;
    tree.moveChild(entity, typeof at === "number" ? Math.min(at, last) : at);
  } else tree.moveChild(entity, before !== undefined ? { before } : { after: after as EntityLike });
}
