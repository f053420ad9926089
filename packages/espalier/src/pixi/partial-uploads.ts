/**
 * Uploads only what moved.
 *
 * Pixi keeps the corners of all sprites of a render group in one buffer and uploads all of it when one of them changed: 960 KB for
 * 10,000 sprites, which takes longer than everything else in a frame. The batcher of the world records writes and uploads only those.
 */
// Accessed as a member of the module, so that it can be loaded with versions that lack it, which createPixiRenderer refuses.
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

/** How many numbers of the buffer take as long to upload as one additional call of the graphics driver. */
const CALL = 1500;

/** The parts of a buffer to upload. */
interface DirtyRanges {
  /** Marks everything, because the content has moved. */
  all(): void;
  /** Marks `size` numbers from `start`. */
  add(start: number, size: number): void;
  /** Whether the ranges are cheaper to upload than all of `total` numbers. */
  isPartial(total: number): boolean;
  forEach(range: (start: number, size: number) => void): void;
  /** Clears all ranges. */
  clear(): void;
}

function createDirtyRanges(): DirtyRanges {
  /** Starts and ends alternately. Neighbours usually follow each other, because moves are written in tree order. */
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
 * Makes a render group upload only changes, and returns the function that ends it. Only if Pixi draws with WebGL and its batchers have
 * the expected structure; otherwise Pixi works as usual.
 */
export function uploadPartially(renderer: Renderer, { renderGroup }: Container): () => void {
  if (renderer.type !== RendererType.WEBGL) return () => {};
  const { uid } = renderGroup.instructionSet;
  // Private in Pixi's types, because there is no public way to choose the batcher of sprites.
  const { _batchersByInstructionSet: batchers } = renderer.renderPipes.batch as unknown as {
    readonly _batchersByInstructionSet?: Record<number, Record<string, DefaultBatcher>>;
  };
  // Early versions have no limits.
  if (batchers === undefined || (renderer as Partial<WebGLRenderer>).limits === undefined) return () => {};
  const batcher = createPartialBatcher(renderer as WebGLRenderer);
  batchers[uid] = { default: batcher };
  return () => {
    // Pixi releases batchers that it has drawn with.
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
  // Pixi calls it after all changes were written, and before it draws.
  buffer.update = (size, offset) => {
    const isPartial = dirty.isPartial(batcher.attributeSize);
    if (!isPartial) Buffer.prototype.update.call(buffer, size, offset);
    // At once, not when it is drawn, because further ranges may follow before that. Uploads everything if the buffer is new or was lost.
    buffers.updateBuffer(buffer);
    if (isPartial) {
      buffers.bind(buffer);
      dirty.forEach(upload);
    }
    dirty.clear();
  };
  return batcher;
}
