/**
 * The renderer's record of one drawing: a container in one flat list, and its last placement.
 */
import type { Container, Matrix } from "pixi.js";
import type { Bounds, Drawing } from "../render/index.ts";
import type { Affine2D } from "../transform/index.ts";

/** Draws one kind of drawing with Pixi. */
export interface PixiNode {
  /** The object on the stage. */
  readonly container: Container;
  /** The last linear part, to move without decomposing a matrix when only the position changed. @internal */
  a: number;
  /** @internal */
  b: number;
  /** @internal */
  c: number;
  /** @internal */
  d: number;
  /** Pixels of the container per unit of the drawing: texts are drawn larger and scaled down. @internal */
  density: number;
  /** Updates the drawing. @internal */
  update(drawing: Drawing): void;
  /** Frees the node. @internal */
  destroy(): void;
  /** Updates a drawing that depends on the view: `visible` is the visible area, in the node's own coordinates. @internal */
  look?(visible: Bounds): void;
  /** The matrix from its own coordinates to the world, kept for `look`. @internal */
  matrix?: Affine2D;
}

export function createNode(
  container: Container,
  update: PixiNode["update"],
  destroy: PixiNode["destroy"] = () => container.destroy(),
): PixiNode {
  return { container, a: 1, b: 0, c: 0, d: 1, density: 1, update, destroy };
}

/** Places a node in the world. `scratch` is overwritten. */
export function placeNode(node: PixiNode, m: Affine2D, scratch: Matrix): void {
  const { container } = node;
  if (node.matrix !== undefined) Object.assign(node.matrix, m);
  if (node.a !== m.a || node.b !== m.b || node.c !== m.c || node.d !== m.d) {
    node.a = m.a;
    node.b = m.b;
    node.c = m.c;
    node.d = m.d;
    const k = 1 / node.density;
    if (!turn(container, m.a * k, m.b * k, m.c * k, m.d * k))
      container.setFromMatrix(scratch.set(m.a * k, m.b * k, m.c * k, m.d * k, 0, 0));
  }
  // The pivot of the container is on the entity, as usual for positions in Pixi.
  container.position.set(m.x, m.y);
}

/**
 * Sets rotation and scale if the matrix has no skew. Most moves only rotate:
 * then one number is set, while decomposing the matrix sets seven. Returns whether it was possible.
 */
function turn(container: Container, a: number, b: number, c: number, d: number): boolean {
  const scaleX = Math.sqrt(a * a + b * b);
  const length = Math.sqrt(c * c + d * d);
  if (!(Math.abs(a * c + b * d) <= 1e-6 * scaleX * length) || scaleX === 0) return false;
  const scaleY = a * d - b * c < 0 ? -length : length;
  const { scale, skew } = container;
  if (skew.x !== 0 || skew.y !== 0) skew.set(0, 0);
  // Matrices have 32 bits: a scale that differs only by rounding stays.
  if (Math.abs(scale.x - scaleX) > 1e-6 * scaleX || Math.abs(scale.y - scaleY) > 1e-6 * length)
    scale.set(scaleX, scaleY);
  container.rotation = Math.atan2(b, a);
  return true;
}
