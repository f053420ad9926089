/** Move, rotate, scale or skew entities together, in the world: what a gizmo does. */
import type { Entity } from "espalier";
import { type Affine2D, multiply2D } from "espalier/transform";
import type { EditorDocument } from "../../document/document.ts";
import { type EditOptions, edit } from "../../document/edit.ts";

/** Where entities were when a gesture began. Every pointer move starts from these values, so that rounding does not add up. */
export interface TransformStart {
  readonly entities: readonly Entity[];
  readonly worlds: readonly Affine2D[];
  /** With `withoutChildren`: the children that keep their world transforms, and these transforms. */
  readonly children: readonly Entity[];
  readonly childWorlds: readonly Affine2D[];
}

export function startTransform(
  { tree, space, world }: EditorDocument,
  entities: readonly Entity[],
  withoutChildren = false,
): TransformStart {
  const children = withoutChildren
    ? entities
        .flatMap((entity) => tree.childrenOf(entity))
        .filter((child) => world.has(child, space.component))
    : [];
  return {
    entities,
    worlds: entities.map((entity) => ({ ...space.worldOf(entity) })),
    children,
    childWorlds: children.map((child) => ({ ...space.worldOf(child) })),
  };
}

/**
 * Applies `change`, a transformation of the world, to the transforms at the start.
 * @throws SingularTransformError where the change or a parent has no inverse; nothing has changed then.
 */
export function transformEntities(
  document: EditorDocument,
  label: string,
  start: TransformStart,
  change: Affine2D,
  options?: EditOptions,
): void {
  const { space } = document;
  edit(
    document,
    label,
    () => {
      start.entities.forEach((entity, k) => {
        space.setWorld(entity, multiply2D(change, start.worlds[k]));
      });
      start.children.forEach((child, k) => {
        space.setWorld(child, start.childWorlds[k]);
      });
    },
    options,
  );
}

export function translation(x: number, y: number): Affine2D {
  return { a: 1, b: 0, c: 0, d: 1, x, y };
}

/** A linear map around a point. */
export function around(px: number, py: number, a: number, b: number, c: number, d: number): Affine2D {
  return { a, b, c, d, x: px - (a * px + c * py), y: py - (b * px + d * py) };
}
