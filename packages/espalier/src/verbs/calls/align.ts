/** Lines entities up by their positions in the world. */
import type { Entity } from "../../ecs/index.ts";
import { VerbError } from "../errors.ts";
import { shownPath } from "../targets.ts";
import type { Verb, VerbContext } from "../verb.ts";
import { spaceOf } from "./reparent.ts";

/** The parameters of `align`. */
export interface AlignParameters {
  /** The entities. */
  readonly entities: readonly string[];
  /** Along which axis they get the same value. */
  readonly axis: "x" | "y" | "z";
  /** Which value they get. */
  readonly to?: "first" | "min" | "max" | "center";
}

type Axis = AlignParameters["axis"];

export const align: Verb<AlignParameters> = {
  name: "align",
  aliases: [],
  summary: "align entities by their positions in the world",
  isReadOnly: false,
  parameters: {
    entities: { type: "array", items: { type: "string" }, minItems: 2, description: "The entities." },
    axis: {
      type: "string",
      enum: ["x", "y", "z"],
      description: "The axis on which they get the same value.",
    },
    to: {
      type: "string",
      enum: ["first", "min", "max", "center"],
      description: "Which value: that of the first one (default), the least, the greatest, or the middle.",
    },
  },
  required: ["entities", "axis"],
  operands: ["axis", "entities"],
  run(context, { entities, axis, to = "first" }) {
    const { tree } = context;
    // Parents first: moving one moves its descendants, which are then corrected.
    const found = [...new Set(entities.map(context.find))];
    const values = found.map((entity) => coordinateOf(context, entity, axis));
    // A loop: a scene may have more entities than a call can have arguments.
    const least = values.reduce((a, b) => Math.min(a, b));
    const greatest = values.reduce((a, b) => Math.max(a, b));
    const wanted = { first: values[0] as number, min: least, max: greatest, center: (least + greatest) / 2 }[
      to
    ];
    for (const entity of [...found].sort((a, b) => tree.depthOf(a) - tree.depthOf(b))) {
      if (coordinateOf(context, entity, axis) !== wanted) moveIn(context, entity, axis, wanted);
    }
    return { [axis]: wanted };
  },
};

function coordinateOf(context: VerbContext, entity: Entity, axis: Axis): number {
  const { flat, solid } = context.document.state.spaces;
  const space = spaceOf(context, entity);
  if (space !== undefined && space === flat?.name && axis !== "z") return flat.worldPosition(entity)[axis];
  if (space !== undefined && space === solid?.name) return solid.worldPosition(entity)[axis];
  throw new VerbError(
    `Cannot run align: ${shownPath(context.scene, entity)} has no transform with an axis ${axis}. Add one, or leave the entity out.`,
    "verbs/invalid-parameters",
    { verb: "align", entities: [entity] },
  );
}

function moveIn(context: VerbContext, entity: Entity, axis: Axis, value: number): void {
  const { flat, solid } = context.document.state.spaces;
  if (flat !== undefined && spaceOf(context, entity) === flat.name) {
    const { x, y } = flat.worldPosition(entity);
    flat.setWorldPosition(entity, axis === "x" ? value : x, axis === "y" ? value : y);
  } else if (solid !== undefined) {
    const at = solid.worldPosition(entity);
    at[axis] = value;
    solid.setWorldPosition(entity, at.x, at.y, at.z);
  }
}
