/**
 * The contract between a world and a renderer.
 *
 * A backend keeps one node of its own per drawing. It is called to create, change, reorder and destroy them, and only when
 * that changed; it never looks at the world. Implementing this interface is all that a new renderer needs.
 */
import type { ValueOf } from "../../ecs/index.ts";
import type { Affine2D } from "../../transform/index.ts";
import type { Bounds } from "../bounds/bounds.ts";
import type { CameraView, Size } from "../cameras/camera-view.ts";
import type { Drawing } from "../drawings/drawing.ts";
import type { TextBlockSchema } from "../drawings/text-block.ts";

/** What a game loop needs from a renderer. */
export interface Renderer {
  /** The element that is drawn on, if there is one. */
  readonly view?: HTMLElement | HTMLCanvasElement | undefined;
  /** Draws a frame. `alpha` is the fraction of a fixed step that has passed since the last one. */
  render(alpha: number): void;
  /** Changes the size of the drawing, in pixels. */
  resize?(width: number, height: number): void;
  /** Frees everything. The world stays as it is. */
  dispose(): void;
}

/** The part of a renderer that draws. `Node` is what it stores for one drawing. */
export interface RenderBackend<Node> {
  /** The element it draws on. */
  readonly view?: HTMLElement | HTMLCanvasElement | undefined;
  /** Whether a value that a user attaches is a node of this backend; if left out, anything is. */
  isNode?(node: unknown): node is Node;
  /** Creates a node. `setStyle` and `setMatrix` are called before it is drawn. */
  create(drawing: Drawing): Node;
  /** Called when values, tint or alpha changed. */
  setStyle(node: Node, drawing: Drawing): void;
  /**
   * Sets the world matrix of the node. For pictures and text it transforms from pixels, y downwards, with the anchor at 0, 0;
   * own scale and flip are included. `matrix` is reused: copy what must be kept.
   */
  setMatrix(node: Node, matrix: Affine2D): void;
  /** Shows or hides a node, because of the tree or because it is outside of the view. New nodes are visible. */
  setVisible(node: Node, visible: boolean): void;
  /**
   * Whether the node is drawn above all views, in pixels of the screen: with `screen` of `draw` as its view. New nodes are not. A backend
   * without it does not show drawings on the screen.
   */
  setOnScreen?(node: Node, onScreen: boolean): void;
  /** Receives all nodes, back to front. The list is reused: copy what must be kept. */
  reorder(nodes: readonly Node[]): void;
  /** Frees what the node holds. */
  destroy(node: Node): void;
  /** The size of a texture or of a frame of it; `undefined` when it does not exist. */
  measureTexture(texture: string, frame: string): Size | undefined;
  /** The size of a text in its own units. */
  measureText(text: ValueOf<TextBlockSchema>): Size;
  /** The bounds of a node of the user's own, in its coordinates. */
  measureExternal?(node: Node, out: Bounds): Bounds;
  /** Whether a node covers a point in its own coordinates; if left out, the geometry decides. */
  hitTest?(node: Node, drawing: Drawing, x: number, y: number): boolean;
  /** Whether to draw although nothing changed in the world, because something of the backend's own moves. */
  needsDraw?(): boolean;
  /**
   * Draws everything as seen through `view`, the same object as long as it is the same, and above it the nodes on the screen as seen through
   * `screen`, where there are any. Only called when something changed.
   */
  draw(view: CameraView, screen?: CameraView): void;
  /**
   * Draws everything through several views, each on its own area, later ones above earlier ones; called instead of `draw`
   * where there is more than one. A backend without it shows the first only. `nodesOf(k)` returns the nodes that the k-th view
   * may see, back to front: a visible node is visible in at least one view, not in each.
   */
  drawViews?(
    views: readonly CameraView[],
    nodesOf: (k: number) => readonly Node[],
    screen?: CameraView,
  ): void;
  /** Called when the size of the screen changed, in pixels. */
  resize?(width: number, height: number): void;
  /** Frees everything. */
  dispose(): void;
}
