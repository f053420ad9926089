/**
 * Uploads of what moved instead of everything.
 *
 * Pixi keeps the corners of all sprites of a render group in one buffer and uploads all of it when one of them changed: 960 KB for
 * 10,000 sprites, which takes longer than everything else in a frame. The batcher of the world notes what was written and uploads that.
 */
// As a member of the module: it can be loaded with versions that lack it, and createPixiRenderer refuses those.
import * as pixi from "pixi.js";
import {
  type BatchableElement,
  Buffer,
  type Container,
  type DefaultBatcher,
  type Renderer,
  RendererType,
  type WebGLRenderer,
} from "pixi.js";

/** Numbers of the buffer that take as long to upload as one more call of the graphics driver. */
const CALL = 1500;

/** What of a buffer is to be uploaded. */
interface DirtyRanges {
  /** Everything: what was there lies elsewhere now. */
  all(): void;
  /** `size` numbers from `start`. */
  add(start: number, size: number): void;
  /** Whether the ranges are cheaper to upload than all of `total` numbers. */
  isPartial(total: number): boolean;
  forEach(range: (start: number, size: number) => void): void;
  /** Starts again, with nothing. */
  clear(): void;
}

function createDirtyRanges(): DirtyRanges {
  /** Starts and ends in turn. Neighbours mostly follow each other: what moves is written in the order of the tree. */
  const ranges: number[] = [];
  let length = 0;
  let size = 0;
  let isWhole = true;
  return {
    all() {
      isWhole = true;
    },
    add(start, count) {
      if (isWhole) return;
      const end = start + count;
      const last = length - 1;
      if (length > 0 && start >= ranges[last - 1] && start <= ranges[last] + CALL) {
        if (end <= ranges[last]) return;
        size += end - ranges[last];
        ranges[last] = end;
        return;
      }
      ranges[length++] = start;
      ranges[length++] = end;
      size += count;
    },
    isPartial: (total) => !isWhole && size + (length / 2) * CALL < total,
    forEach(range) {
      for (let k = 0; k < length; k += 2) range(ranges[k], ranges[k + 1] - ranges[k]);
    },
    clear() {
      isWhole = false;
      length = 0;
      size = 0;
    },
  };
}

/**
 * Lets a render group upload only what changed, and gives the function that ends it. Only where Pixi draws with WebGL and has
 * its batchers where this looks for them; otherwise everything stays as Pixi does it.
 */
export function uploadPartially(renderer: Renderer, { renderGroup }: Container): () => void {
  if (renderer.type !== RendererType.WEBGL) return () => {};
  const { uid } = renderGroup.instructionSet;
  // Private in Pixi's types: there is no public way to choose the batcher of sprites.
  const { _batchersByInstructionSet: batchers } = renderer.renderPipes.batch as unknown as {
    readonly _batchersByInstructionSet?: Record<number, Record<string, DefaultBatcher>>;
  };
  // Early versions have no limits.
  if (batchers === undefined || (renderer as Partial<WebGLRenderer>).limits === undefined) return () => {};
  const batcher = createPartialBatcher(renderer as WebGLRenderer);
  batchers[uid] = { default: batcher };
  return () => {
    // Pixi releases those that it has drawn with.
    if (batchers[uid]?.default !== batcher) return;
    delete batchers[uid];
    batcher.destroy();
  };
}

function createPartialBatcher({ gl, buffer: buffers, limits }: WebGLRenderer): DefaultBatcher {
  const batcher = new pixi.DefaultBatcher({ maxTextures: limits.maxBatchableTextures });
  const [buffer] = batcher.geometry.buffers;
  const dirty = createDirtyRanges();
  const upload = (start: number, size: number) =>
    gl.bufferSubData(gl.ARRAY_BUFFER, start * 4, buffer.data, start, size);
  batcher.begin = () => {
    dirty.all();
    pixi.DefaultBatcher.prototype.begin.call(batcher);
  };
  batcher.updateElement = (element: BatchableElement) => {
    pixi.DefaultBatcher.prototype.updateElement.call(batcher, element);
    dirty.add(element._attributeStart, element.attributeSize * batcher.vertexSize);
  };
  // Pixi calls it after all that changed was written, and before it draws.
  buffer.update = (size, offset) => {
    const isPartial = dirty.isPartial(batcher.attributeSize);
    if (!isPartial) Buffer.prototype.update.call(buffer, size, offset);
    // At once, and not when it is drawn, because ranges may follow before that. Everything, if the buffer is new or was lost.
    buffers.updateBuffer(buffer);
    if (isPartial) {
      buffers.bind(buffer);
      dirty.forEach(upload);
    }
    dirty.clear();
  };
  return batcher;
}
