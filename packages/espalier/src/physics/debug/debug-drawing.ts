/**
 * The debug picture as entities with drawing components, so that every renderer draws it, through the camera in use.
 *
 * This room knows no drawing components: it receives the functions that create them, such as those of
 * `espalier/render`.
 */
import {
  type ComponentInit,
  checkOptions,
  type Entity,
  expectArguments,
  Transient,
} from "../../ecs/index.ts";
import { ZIndex } from "../../inherit/index.ts";
import type { Physics } from "../physics.ts";
import type { DebugContact, DebugShape } from "./debug.ts";

/** How a form is drawn. */
export interface DebugStyle {
  /** The colour inside. */
  readonly fill?: number;
  /** How opaque the fill is, from 0 to 1. */
  readonly fillAlpha?: number;
  /** The colour of the outline. */
  readonly stroke?: number;
  /** How opaque the outline is, from 0 to 1. */
  readonly strokeAlpha?: number;
  /** The width of the outline. */
  readonly strokeWidth?: number;
}

/** Makers of drawing components, as `espalier/render` has them. Points are x, y, x, y, … */
export interface DebugForms {
  /** Makes the drawing of a circle. */
  circle(radius: number, style: DebugStyle): ComponentInit;
  /** Makes the drawing of a closed outline. */
  polygon(points: readonly number[], style: DebugStyle): ComponentInit;
  /** Makes the drawing of an open line. */
  line(points: readonly number[], style: DebugStyle): ComponentInit;
}

/** Which parts of the physics are drawn. */
export interface DebugDrawingOptions {
  /** Draws shapes. On if left out. */
  readonly shapes?: boolean;
  /** Draws joints. On if left out. */
  readonly joints?: boolean;
  /** Draws the points where bodies touch. On if left out. */
  readonly contacts?: boolean;
  /** In units of the transforms; 2 cm if left out. */
  readonly lineWidth?: number;
  /** The draw order, above everything else; 1,000,000 if left out. */
  readonly z?: number;
}

/** A drawing of the physics that can be switched on and off. */
export interface PhysicsDebug {
  /** The parent of all forms. Hide it to hide them. It is `Transient`: scene files do not have it. */
  readonly root: Entity;
  /** Updates the forms. Call it after a step, before rendering. */
  update(): void;
  /** Destroys the forms. */
  dispose(): void;
}

/** The colours of shapes by state, and of joints and contacts. */
const colors = {
  static: 0x6abf69,
  kinematic: 0x64a0ff,
  awake: 0xff9d5c,
  asleep: 0x8a8f98,
  disabled: 0x55585e,
  sensor: 0xf2d750,
  joint: 0x4dd0e1,
  contact: 0xff4d6d,
} as const;

const drawingOptions = {
  shapes: "boolean",
  joints: "boolean",
  contacts: "boolean",
  lineWidth: "number",
  z: "number",
} as const;

const aPhysics = {
  expected: "a physics. Pass what createPhysics() returned",
  fits: (value: unknown) => typeof (Object(value) as Partial<Physics>).debugPicture === "function",
};

const someForms = {
  expected: "the functions circle, polygon and line. Pass those of espalier/render",
  fits: (value: unknown) => {
    const { circle, polygon, line } = Object(value) as Partial<DebugForms>;
    return [circle, polygon, line].every((form) => typeof form === "function");
  },
};

/**
 * Draws the content of the engine: shapes by state (static, kinematic, awake, asleep, disabled, sensor), joints and contacts.
 * `forms` are `{ circle, polygon, line }` of `espalier/render`.
 *
 * @example
 * ```ts
 * import { loadBox2D } from "espalier/physics/box2d";
 *
 * const physics = createPhysics(createTransforms2D(tree), await loadBox2D());
 * const debug = createPhysicsDebug(physics, { circle, polygon, line });
 * debug.update(); // after each step
 * tree.nameOf(debug.root); // → "physics debug"
 * ```
 */
export function createPhysicsDebug(
  physics: Physics,
  forms: DebugForms,
  options: DebugDrawingOptions = {},
): PhysicsDebug {
  const doing = "draw the physics";
  expectArguments(doing, ["it", physics, aPhysics], ["what makes forms", forms, someForms]);
  const { space } = physics;
  const { tree } = space;
  const { world } = tree;
  checkOptions(world.checks, doing, options, drawingOptions);
  const { lineWidth = 0, z = 0 } = options;
  expectArguments(doing, ["lineWidth", lineWidth, "finite number"], ["z", z, "finite number"]);
  const width = options.lineWidth ?? 0.02 * physics.unitsPerMetre;
  let root = createRoot();
  let pool: Entity[] = [];
  let used = 0;

  function createRoot(): Entity {
    const z = ZIndex({ z: options.z ?? 1_000_000, zRelative: false });
    const made = world.spawn(space.at(0, 0), z, Transient);
    tree.setName(made, "physics debug");
    return made;
  }

  /** The next entity, with this drawing at this position. Entities are reused in every frame. */
  function draw(form: ComponentInit, x = 0, y = 0): void {
    const entity = pool[used] ?? tree.attachNew(root, space.at(0, 0));
    pool[used++] = entity;
    space.setPosition(entity, x, y);
    world.add(entity, form);
  }

  function drawShape({ form, points, radius, state, sensor }: DebugShape): void {
    const color = sensor ? colors.sensor : colors[state];
    const style = { fill: color, fillAlpha: 0.3, stroke: color, strokeWidth: width };
    if (form === "circle") {
      draw(forms.circle(radius, style), points[0], points[1]);
      draw(forms.line(points, { stroke: color, strokeWidth: width }));
    } else if (form === "outline") {
      draw(forms.polygon(points, { ...style, strokeWidth: Math.max(width, radius * 2) }));
    } else {
      const strokeWidth = Math.max(width, radius * 2);
      draw(forms.line(points, { stroke: color, strokeWidth, strokeAlpha: radius > 0 ? 0.5 : 1 }));
      for (let k = 0; radius > 0 && k < points.length; k += 2)
        draw(forms.circle(radius, style), points[k], points[k + 1]);
    }
  }

  function drawContact({ x, y, normalX, normalY }: DebugContact): void {
    const length = width * 8;
    draw(forms.circle(width * 2, { fill: colors.contact }), x, y);
    draw(
      forms.line([x, y, x + normalX * length, y + normalY * length], {
        stroke: colors.contact,
        strokeWidth: width,
      }),
    );
  }

  return {
    get root() {
      return root;
    },
    update() {
      const picture = physics.debugPicture();
      // It may have been destroyed by a scene or a snapshot.
      if (!world.isAlive(root)) root = createRoot();
      pool = pool.filter((entity) => world.isAlive(entity));
      used = 0;
      if (options.shapes ?? true) picture.shapes.forEach(drawShape);
      if (options.joints ?? true) {
        for (const { points } of picture.joints) {
          draw(forms.line(points, { stroke: colors.joint, strokeWidth: width }));
          draw(forms.circle(width * 2, { fill: colors.joint }), points[2], points[3]);
        }
      }
      if (options.contacts ?? true) picture.contacts.forEach(drawContact);
      for (const entity of pool.splice(used)) world.destroy(entity);
    },
    dispose() {
      if (world.isAlive(root)) tree.destroy(root);
      pool = [];
    },
  };
}
