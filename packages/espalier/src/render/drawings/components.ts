import type { AnyComponent } from "../../ecs/index.ts";
import { Camera } from "../cameras/camera.ts";
import { ParticleEmitter } from "../particles/particle-emitter.ts";
import { OnScreen } from "../screen/on-screen.ts";
import { colorCodec, isColorField } from "./color.ts";
import { NineSlice } from "./nine-slice.ts";
import { Alpha, Tint } from "./presets.ts";
import { Shape } from "./shape.ts";
import { Sprite } from "./sprite.ts";
import { TextBlock } from "./text-block.ts";
import { Tilemap } from "./tilemap.ts";

/** How one field is written and read, as scene formats take it: they check that a codec fits its field, so any may be here. */
export interface DrawingCodec {
  write(value: never): string;
  read(json: unknown): never;
  readonly schema: { readonly [key: string]: string };
}

/** A component with the way its colours are written, as scene formats take it. */
export interface DrawingRegistration {
  /** The component that is registered. */
  readonly component: AnyComponent;
  /** How its fields are written and read. */
  readonly fields: { readonly [field: string]: DrawingCodec };
  /** Nothing: drawings have no validator. */
  readonly validate: undefined;
  /** Nothing: drawings have no description. */
  readonly description: undefined;
}

/**
 * The components of this room, for scene formats: `createSceneFormat({ components: [renderComponents()] })`. Colours stand in
 * files as "#ff8800".
 */
export function renderComponents(): readonly DrawingRegistration[] {
  const components = [
    Sprite,
    Shape,
    TextBlock,
    Tilemap,
    NineSlice,
    ParticleEmitter,
    Camera,
    OnScreen,
    Tint,
    Alpha,
  ];
  return components.map((component) => {
    const colors = Object.entries(component.schema).filter(([, field]) => isColorField(field));
    const fields = Object.fromEntries(colors.map(([name]) => [name, colorCodec as DrawingCodec]));
    return {
      component: component as unknown as AnyComponent,
      fields,
      validate: undefined,
      description: undefined,
    };
  });
}
