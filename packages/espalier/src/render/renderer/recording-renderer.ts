/**
 * A renderer that draws nothing and records the calls it receives: for tests in Node, and as the smallest example of a
 * backend.
 */
import { checkOptions, type Entity, expectArguments } from "../../ecs/index.ts";
import { type Affine2D, requireSpace2D, type Transforms2D } from "../../transform/index.ts";
import type { CameraView, Size } from "../cameras/camera-view.ts";
import type { Drawing, DrawingKind, DrawingValues } from "../drawings/drawing.ts";
import type { RenderBackend } from "./contract.ts";
import { createRenderer } from "./create-renderer.ts";
import { type RendererOptions, rendererOptions, type WorldRenderer } from "./renderer-options.ts";

/** The record of one drawing. */
export interface RecordedNode {
  /** What kind of drawing it is. */
  readonly kind: DrawingKind;
  /** The entity that it belongs to. */
  readonly entity: Entity;
  /** The values of the component. */
  value: DrawingValues[DrawingKind];
  /** The colour to multiply with: inherited tint times own. */
  tint: number;
  /** Inherited alpha times own. */
  alpha: number;
  /** From the drawing to the world. */
  matrix: Affine2D;
  /** Whether it is drawn. */
  visible: boolean;
  /** Whether it is drawn in pixels of the screen. */
  onScreen: boolean;
}

/** One call that a recording renderer has received. */
export type RecordedCall =
  | {
      /** The kind of call. */
      readonly type: "create" | "style" | "matrix" | "show" | "hide" | "destroy";
      /** The node it was called for. */
      readonly node: RecordedNode;
    }
  | {
      /** The drawing order changed. */
      readonly type: "reorder";
      /** All nodes, back to front. */
      readonly nodes: readonly RecordedNode[];
    }
  | {
      /** A frame was drawn. */
      readonly type: "draw";
      /** The view of the camera. */
      readonly view: CameraView;
    };

/** Options of `createRecordingRenderer`. */
export interface RecordingOptions extends RendererOptions {
  /** The textures that exist, by name; frames by `name/frame`. All others are missing. */
  readonly textures?: { readonly [name: string]: Size };
}

/** A renderer that draws nothing and records everything, for tests. */
export interface RecordingRenderer extends WorldRenderer<RecordedNode> {
  /** Every call that the backend received, in order. `calls.length = 0` clears them. */
  readonly calls: RecordedCall[];
  /** The nodes that the last frame showed, back to front. */
  drawn(): RecordedNode[];
}

/**
 * Creates a renderer that records.
 *
 * @example
 * ```ts
 * const space = createTransforms2D(tree);
 * const renderer = createRecordingRenderer(space);
 * const ball = world.spawn(space.at(3, 4), circle(2));
 * renderer.render();
 * renderer.calls.map((call) => call.type); // → ["create", "style", "matrix", "reorder", "draw"]
 * renderer.calls.length = 0;
 * renderer.render();
 * renderer.calls; // → []
 * ```
 */
export function createRecordingRenderer(
  space: Transforms2D,
  options: RecordingOptions = {},
): RecordingRenderer {
  requireSpace2D(space, "make a recording renderer");
  checkOptions(space.tree.world.checks, "make a recording renderer", options, {
    ...rendererOptions,
    textures: "anything",
  });
  const calls: RecordedCall[] = [];
  let nodes: RecordedNode[] = [];
  /** Destroyed since the last `reorder`. */
  const gone = new Set<RecordedNode>();
  const { textures = {} } = options;
  expectArguments("make a recording renderer", ["textures", textures, "object"]);

  const renderer = createRenderer<RecordedNode>(
    space,
    ({ report }) => {
      const backend: RenderBackend<RecordedNode> = {
        isNode: (node): node is RecordedNode =>
          typeof node === "object" && node !== null && Object.isExtensible(node),
        create({ kind, entity, value }) {
          const matrix = { a: 1, b: 0, c: 0, d: 1, x: 0, y: 0 };
          const node = {
            kind,
            entity,
            value,
            tint: 0xffffff,
            alpha: 1,
            matrix,
            visible: true,
            onScreen: false,
          };
          calls.push({ type: "create", node });
          return node;
        },
        setStyle(node, drawing) {
          node.value = drawing.value;
          node.tint = drawing.tint;
          node.alpha = drawing.alpha;
          reportMissing(drawing);
          calls.push({ type: "style", node });
        },
        setMatrix(node, matrix) {
          node.matrix = { ...matrix };
          calls.push({ type: "matrix", node });
        },
        setVisible(node, visible) {
          node.visible = visible;
          calls.push({ type: visible ? "show" : "hide", node });
        },
        setOnScreen(node, onScreen) {
          node.onScreen = onScreen;
        },
        reorder(all) {
          nodes = [...all];
          gone.clear();
          calls.push({ type: "reorder", nodes });
        },
        destroy(node) {
          gone.add(node);
          calls.push({ type: "destroy", node });
        },
        measureTexture(texture, frame) {
          const name = frame === "" ? texture : `${texture}/${frame}`;
          return Object.hasOwn(textures, name) ? textures[name] : undefined;
        },
        // Characters as wide as high: sizes in tests must not depend on fonts.
        measureText({ text, size, lineHeight }) {
          const lines = text.split("\n");
          const longest = Math.max(...lines.map((line) => [...line].length));
          return { width: longest * size * 0.5, height: lines.length * size * lineHeight };
        },
        draw: (view) => void calls.push({ type: "draw", view }),
        drawViews(views) {
          for (const view of views) calls.push({ type: "draw", view });
        },
        dispose() {},
      };

      function reportMissing({ value, entity }: Drawing): void {
        if (value === null || !("texture" in value) || value.texture === "") return;
        if (backend.measureTexture(value.texture, "") === undefined) {
          report(
            "missing-texture",
            entity,
            value.texture,
            `the texture "${value.texture}" is missing. Name it in the textures of the recording renderer.`,
          );
        }
      }
      return backend;
    },
    options,
  );
  return Object.assign(renderer, {
    calls,
    drawn: () => nodes.filter((node) => node.visible && !gone.has(node)),
  });
}
