/**
 * Tilemaps in Pixi: one mesh per chunk, created when the chunk is first seen and rebuilt when a tile in it changed.
 */
import { Container, Mesh, MeshGeometry, Sprite, type Texture } from "pixi.js";
import type { ValueOf } from "../ecs/index.ts";
import {
  chunksOf,
  forEachTile,
  hasSameChunks,
  isChunkChanged,
  type TileChunk,
  type TilemapSchema,
  type TileTurn,
  tileFrame,
  tileTurn,
} from "../render/index.ts";
import { createNode, type PixiNode } from "./pixi-node.ts";
import type { PixiTextures } from "./pixi-textures.ts";
import { textureUser } from "./sprite-node.ts";

type MapValue = ValueOf<TilemapSchema>;

export function createTilemapNode(textures: PixiTextures): PixiNode {
  const container = new Container();
  const user = textureUser(textures);
  let map: MapValue | undefined;
  let texture: Texture | undefined;
  /** The chunks seen so far, by number; a map may have millions that never are. Chunks without tiles have no mesh. */
  const meshes = new Map<number, { readonly chunk: TileChunk; readonly mesh: Mesh | null }>();
  let sign: Sprite | undefined;

  /** Frees the meshes of these chunks. */
  function drop(isOther: (chunk: TileChunk) => boolean): void {
    for (const [index, { chunk, mesh }] of meshes) {
      if (!isOther(chunk)) continue;
      if (mesh) freeMesh(mesh);
      meshes.delete(index);
    }
  }

  function dropAll(): void {
    drop(() => true);
    sign?.destroy();
    sign = undefined;
  }

  const node = createNode(
    container,
    (drawing) => {
      if (drawing.kind !== "tilemap") return;
      const { value, entity } = drawing;
      if (value.texture === "") {
        // A grid of values: nothing to draw.
        map = undefined;
        isReady = false;
        dropAll();
        return;
      }
      user.set(value.texture);
      const found = textures.find(entity, value.texture, "");
      const before = map;
      map = value;
      if (before === undefined || texture !== found.texture || !hasSameChunks(before, value)) {
        dropAll();
        texture = found.texture;
      } else drop((chunk) => isChunkChanged(before, value, chunk));
      if (found.state === "missing" && sign === undefined) {
        sign = container.addChild(new Sprite(found.texture));
        sign.setSize(value.columns * value.tileWidth, value.rows * value.tileHeight);
      }
      const [x, y] = [
        value.anchorX * value.columns * value.tileWidth,
        value.anchorY * value.rows * value.tileHeight,
      ];
      container.pivot.set(x, y);
      container.tint = found.state === "missing" ? 0xffffff : drawing.tint;
      container.alpha = drawing.alpha;
      isReady = found.state === "ready";
    },
    () => {
      user.clear();
      dropAll();
      container.destroy();
    },
  );
  let isReady = false;
  node.matrix = { a: 1, b: 0, c: 0, d: 1, x: 0, y: 0 };
  node.look = (visible) => {
    if (!isReady || map === undefined || map.tileWidth <= 0 || map.tileHeight <= 0) return;
    for (const { mesh } of meshes.values()) if (mesh) mesh.visible = false;
    for (const chunk of chunksOf(map, visible)) {
      let mesh = meshes.get(chunk.index)?.mesh;
      if (mesh === undefined) {
        mesh = buildChunk(map, chunk, texture!);
        meshes.set(chunk.index, { chunk, mesh });
        if (mesh !== null) container.addChild(mesh);
      }
      if (mesh) mesh.visible = true;
    }
  };
  return node;
}

/** The mesh of a chunk; `null` when it has no tiles. */
function buildChunk(map: MapValue, chunk: TileChunk, texture: Texture): Mesh | null {
  const [positions, uvs, indices]: [number[], number[], number[]] = [[], [], []];
  forEachTile(map, chunk, (tile, column, row) => {
    const { x, y, width, height } = tileFrame(map, tile, texture.width);
    const [left, top] = [(chunk.column + column) * width, (chunk.row + row) * height];
    const at = positions.length / 2;
    positions.push(left, top, left + width, top, left + width, top + height, left, top + height);
    const [u0, v0] = [x / texture.width, y / texture.height];
    const [u1, v1] = [(x + width) / texture.width, (y + height) / texture.height];
    const turn = tileTurn(tile);
    if (turn === undefined) uvs.push(u0, v0, u1, v0, u1, v1, u0, v1);
    else pushTurned(uvs, turn, u0, v0, u1, v1);
    indices.push(at, at + 1, at + 2, at, at + 2, at + 3);
  });
  if (indices.length === 0) return null;
  const geometry = new MeshGeometry({
    positions: new Float32Array(positions),
    uvs: new Float32Array(uvs),
    indices: new Uint32Array(indices),
  });
  return new Mesh({ geometry, texture });
}

/** The corners of the picture at the corners of the cell, from the top left clockwise. */
function pushTurned(uvs: number[], turn: TileTurn, u0: number, v0: number, u1: number, v1: number): void {
  for (const [right, down] of [
    [false, false],
    [true, false],
    [true, true],
    [false, true],
  ]) {
    // In reverse order of drawing: y, x, then the diagonal.
    const [a, b] = [right !== turn.flipX, down !== turn.flipY];
    const [isRight, isDown] = turn.swap ? [b, a] : [a, b];
    uvs.push(isRight ? u1 : u0, isDown ? v1 : v0);
  }
}

function freeMesh(mesh: Mesh): void {
  const { geometry } = mesh;
  mesh.destroy();
  geometry.destroy(true);
}
