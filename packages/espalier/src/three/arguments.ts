/**
 * Tests of arguments that come from three.js or from this room.
 */
import type { Object3D, Raycaster } from "three";
import type { ArgumentTest } from "../ecs/index.ts";

function isObject(value: unknown): boolean {
  return (Object(value) as Partial<Object3D>).isObject3D === true;
}

/** An object of three.js. */
export const anObject: ArgumentTest = { expected: "an Object3D of three.js", fits: isObject };

/** A view of a space. */
export const aView: ArgumentTest = {
  expected: "a view. Pass what createThreeSync() returned",
  fits: (value) =>
    typeof (Object(value) as { readonly attachInstances?: unknown }).attachInstances === "function",
};

/** A view of a 3D space. */
export const aSpatialView: ArgumentTest = {
  expected:
    "a view of a space of three dimensions. Pass what createThreeSync(createTransforms3D(tree)) returned",
  fits: (value) => {
    if (!aView.fits(value)) return false;
    const { space } = value as { readonly space: object };
    return "worldZ" in space && "setTransform" in space;
  },
};

/** A clip of three.js. */
export const aClip: ArgumentTest = {
  expected: "an AnimationClip of three.js",
  fits: (value) => {
    const { name, tracks } = Object(value) as { readonly name?: unknown; readonly tracks?: unknown };
    return typeof name === "string" && Array.isArray(tracks);
  },
};

/** Seconds. */
export const aTime: ArgumentTest = {
  expected: "a finite number of seconds, 0 or more",
  fits: (value) => Number.isFinite(value) && (value as number) >= 0,
};

/** A query of a world. */
export const aQuery: ArgumentTest = {
  expected: "a query. Pass what world.query() returned",
  fits: (value) => typeof (Object(value) as { readonly ids?: unknown }).ids === "function",
};

/** A result of the glTF loader. */
export const aGltf: ArgumentTest = {
  expected: "the result of the glTF loader of three.js",
  fits: (value) => {
    const { scene, parser } = Object(value) as { readonly scene?: unknown; readonly parser?: unknown };
    const { associations } = Object(parser) as { readonly associations?: unknown };
    return isObject(scene) && typeof (Object(associations) as { get?: unknown }).get === "function";
  },
};

/** A raycaster. */
export const aRaycaster: ArgumentTest = {
  expected: "a Raycaster of three.js",
  fits: (value) => typeof (Object(value) as Partial<Raycaster>).intersectObjects === "function",
};

/** Effective visibility. */
export const aVisibility: ArgumentTest = {
  expected: "an inherited value. Pass what createInherited(tree, visibility) returned",
  fits: (value) => {
    const { of, changes, propagate } = Object(value) as { readonly [call: string]: unknown };
    return [of, changes, propagate].every((call) => typeof call === "function");
  },
};
