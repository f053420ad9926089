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

/** A codec of one field for scene formats, which check that it fits the field, so any codec is allowed here. */
export interface DrawingCodec {
  write(value: never): string;
  read(json: unknown): never;
  readonly schema: { readonly [key: string]: string };
}

/** A component with the codecs of its colours, for scene formats. */
export interface DrawingRegistration {
  /** The component that is registered. */
  readonly component: AnyComponent;
  /** How its fields are written and read. */
  readonly fields: { readonly [field: string]: DrawingCodec };
  /** Always `undefined`: drawings have no validator. */
  readonly validate: undefined;
  /** Always `undefined`: drawings have no description. */
  readonly description: undefined;
}

/**
 * The components of this room, for scene formats: `createSceneFormat({ components: [renderComponents()] })`. Colours are written
 * as "#ff8800" in files.
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
