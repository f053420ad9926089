/**
 * What a renderer has to draw: one drawing per drawing component of an entity.
 */
import type { AnyComponent, Entity, ExpectedArgument, ValueOf } from "../../ecs/index.ts";
import { ParticleEmitter, type ParticleEmitterSchema } from "../particles/particle-emitter.ts";
import type { ParticlePool } from "../particles/particle-pool.ts";
import { NineSlice, type NineSliceSchema } from "./nine-slice.ts";
import { Shape, type ShapeSchema } from "./shape.ts";
import { Sprite, type SpriteSchema } from "./sprite.ts";
import { TextBlock, type TextBlockSchema } from "./text-block.ts";
import { Tilemap, type TilemapSchema } from "./tilemap.ts";

/** The values of each kind of drawing. `external` is something of the user's own that follows an entity. */
export interface DrawingValues {
  /** The values of a `Tilemap`. */
  tilemap: ValueOf<TilemapSchema>;
  /** The values of a `Shape`. */
  shape: ValueOf<ShapeSchema>;
  /** The values of a `Sprite`. */
  sprite: ValueOf<SpriteSchema>;
  /** The values of a `NineSlice`. */
  nineSlice: ValueOf<NineSliceSchema>;
  /** The values of a `ParticleEmitter`. */
  particles: ValueOf<ParticleEmitterSchema>;
  /** The values of a `TextBlock`. */
  text: ValueOf<TextBlockSchema>;
  /** No values: the node is the user's own. */
  external: null;
}

/** The name of something that can be drawn. */
export type DrawingKind = keyof DrawingValues;

/** One thing to draw. The values are a copy: they do not change under the renderer. */
export interface DrawingOf<Kind extends DrawingKind> {
  /** What kind of drawing it is. */
  readonly kind: Kind;
  /** The entity that it belongs to. */
  readonly entity: Entity;
  /** The values of the component. */
  value: DrawingValues[Kind];
  /** The colour to multiply with: inherited tint times own. */
  tint: number;
  /** Inherited alpha times own. */
  alpha: number;
  /** For emitters: the living particles; `null` for all others and before their first step. */
  pool: ParticlePool | null;
}

/** One drawing of an entity, with its values. */
export type Drawing = { [Kind in DrawingKind]: DrawingOf<Kind> }[DrawingKind];

/** The expected form of a drawing, for messages about invalid ones. */
export function asDrawing(drawing: unknown): ExpectedArgument {
  const fits = (value: unknown) => {
    const { kind, value: values } = Object(value) as { readonly kind?: unknown; readonly value?: unknown };
    return typeof kind === "string" && typeof values === "object";
  };
  return ["the drawing", drawing, { expected: "an object with the kind and the value of a drawing", fits }];
}

/**
 * The components, in the back-to-front order of the drawings of one entity. `isPicture` says that its y grows
 * downwards, as in the texture, whichever way y points in the world.
 */
export const drawingKinds: readonly {
  readonly kind: DrawingKind;
  readonly component: AnyComponent | null;
  readonly isPicture: boolean;
}[] = [
  { kind: "tilemap", component: Tilemap, isPicture: true },
  { kind: "shape", component: Shape, isPicture: false },
  { kind: "sprite", component: Sprite, isPicture: true },
  { kind: "nineSlice", component: NineSlice, isPicture: true },
  { kind: "particles", component: ParticleEmitter, isPicture: false },
  { kind: "text", component: TextBlock, isPicture: true },
  { kind: "external", component: null, isPicture: true },
];
