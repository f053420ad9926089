/**
 * Keeps the shapes of solid tiles in sync with their maps: an entity below the map for each of its chunks, whose collider is rebuilt when a
 * tile in the chunk, or next to it, changed.
 *
 * Outlines and not boxes, because bodies catch on the seams of boxes. By chunks, because one outline of a large map would be
 * rebuilt as a whole.
 *
 * These entities are created and destroyed in the call that changes the map, so that a history has both in one step; their colliders
 * are derived from the tiles, so they are not recorded for undo.
 */
import { changesOf, type Entity, observe, Transient, type ValueOf, type World } from "../../ecs/index.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";
import { isReplaying, unrecorded } from "../../history/index.ts";
import { Collider, type ColliderShape, tileOutlines } from "../../physics/index.ts";
import { chunksOf, Tilemap, type TilemapSchema, tileNumber, type YAxis } from "../../render/index.ts";
import type { GamePart } from "../game-api.ts";
import type { RunningPart } from "../parts/part.ts";
import { TileCollider, TileColliderChunk, type TileColliderSchema } from "./tile-collider.ts";

/** The running part of `tileColliderPart`: `game.parts.<name>`. */
export interface TileColliders extends RunningPart {
  /** Updates the shapes now. Every step does so before systems and behaviours. */
  update(): void;
}

type Map2D = ValueOf<TilemapSchema>;

interface Known {
  readonly map: Map2D;
  readonly collider: ValueOf<TileColliderSchema>;
  /** By the number of the chunk. */
  readonly chunks: ReadonlyMap<number, Entity>;
}

/** The entities below a map as last created. */
interface Fitted {
  /** The map they were created for; `undefined` when other code may have changed them since. */
  map: Map2D | undefined;
  readonly chunks: ReadonlyMap<number, Entity>;
}

/**
 * Lets solid tiles collide: `createGame({ physics, parts: { tiles: tileColliderPart() } })`. Maps with `TileCollider` need a `RigidBody`, their own
 * or one above them.
 *
 * @example
 * ```ts
 * const game = createGame({ parts: { tiles: tileColliderPart() } });
 * const map = game.spawn(Tilemap({ columns: 2, rows: 1, tiles: [1, 1] }), TileCollider);
 * game.step();
 * map.children.map((chunk) => chunk.get(Collider).shapes.length); // → [1]
 * ```
 */
export function tileColliderPart(): GamePart<TileColliders> {
  return {
    components: [TileCollider],
    create: ({ world, tree, yAxis }) => createTileColliders(world, tree, yAxis),
  };
}

function createTileColliders(world: World, tree: Hierarchy, yAxis: YAxis): TileColliders {
  const known = new Map<Entity, Known>();
  const fitted = new Map<Entity, Fitted>();
  const readers = [changesOf(world, Tilemap), changesOf(world, TileCollider)];
  const maps = world.query(Tilemap, TileCollider);
  const name = "tile colliders";
  const ends = [
    observe(world, TileCollider, { name, add: prepare, remove: prepare }),
    observe(world, Tilemap, { name, add: prepare, set: prepare, remove: prepare }),
  ];
  let isFirst = true;

  function update(): void {
    if (!isFirst && readers.every(({ pending }) => pending === 0)) return;
    const changed = new Set<Entity>(isFirst ? maps : []);
    isFirst = false;
    for (const reader of readers) reader.forEach((entity) => void changed.add(entity));
    for (const entity of [...changed].sort((a, b) => a - b)) bring(entity);
  }

  /** Called in the call that changes a map. An undo has already restored what it needs. */
  function prepare(entity: Entity): void {
    const last = fitted.get(entity);
    if (isReplaying(world)) {
      if (last !== undefined) last.map = undefined;
      return;
    }
    const map = solidMap(entity);
    if (last?.map === undefined || map === undefined || !isCutAlike(last.map, map)) fitHolders(entity, map);
  }

  /** The map of an entity whose tiles collide. */
  function solidMap(entity: Entity): Map2D | undefined {
    if (!world.isAlive(entity) || !world.has(entity, TileCollider)) return undefined;
    return world.get(entity, Tilemap);
  }

  /** One entity below the map for each of its chunks; none without a map. */
  function fitHolders(entity: Entity, map: Map2D | undefined): ReadonlyMap<number, Entity> {
    const holders = new Map<number, Entity>();
    const chunks = map === undefined ? [] : chunksOf(map);
    // Chunks of a map that was destroyed without its children.
    for (const holder of fitted.get(entity)?.chunks.values() ?? [])
      if (world.isAlive(holder) && tree.parentOf(holder) !== entity) world.destroy(holder);
    if (map === undefined) fitted.delete(entity);
    else fitted.set(entity, { map, chunks: holders });
    if (!world.isAlive(entity)) return holders;
    for (const child of tree.childrenOf(entity)) {
      const index = world.get(child, TileColliderChunk)?.index;
      if (index === undefined) continue;
      if (index < chunks.length && !holders.has(index)) holders.set(index, child);
      else world.destroy(child);
    }
    for (const { index } of chunks) {
      // It is derived from the map, so files leave it out.
      if (!holders.has(index))
        holders.set(index, tree.attachNew(entity, TileColliderChunk({ index }), Transient));
    }
    return holders;
  }

  function bring(entity: Entity): void {
    const before = known.get(entity);
    const map = solidMap(entity);
    const isSame =
      before !== undefined &&
      map !== undefined &&
      isAlike(before, map, world.get(entity, TileCollider)!) &&
      [...before.chunks.values()].every(world.isAlive, world);
    const chunks = isSame ? before.chunks : fitHolders(entity, map);
    known.delete(entity);
    if (map === undefined) return;
    const collider = world.get(entity, TileCollider)!;
    known.set(entity, { map, collider, chunks });
    const wanted = isSame ? chunksBeside(before.map, map) : undefined;
    const isSolid = solidTest(map, collider.solid);
    unrecorded(world, () => {
      for (const chunk of chunksOf(map)) {
        if (wanted !== undefined && !wanted.has(chunk.index)) continue;
        const outlines = tileOutlines({ columns: map.columns, rows: map.rows, isSolid }, chunk);
        setShapes(chunks.get(chunk.index)!, shapesOf(outlines, map, collider));
      }
    });
  }

  function setShapes(holder: Entity, shapes: ColliderShape[]): void {
    if (shapes.length === 0) world.remove(holder, Collider);
    else if (world.has(holder, Collider)) world.set(holder, Collider, { shapes });
    else world.add(holder, Collider({ shapes }));
  }

  function shapesOf(
    outlines: ReturnType<typeof tileOutlines>,
    map: Map2D,
    { friction, restitution, layer }: ValueOf<TileColliderSchema>,
  ): ColliderShape[] {
    const { tileWidth, tileHeight, columns, rows, anchorX, anchorY } = map;
    const down = yAxis === "up" ? -1 : 1;
    const material = { friction, restitution, ...(layer === "" ? {} : { layer }) };
    return outlines.map(({ points, loop }) => {
      const placed = points.map(({ x, y }) => ({
        x: (x - anchorX * columns) * tileWidth,
        y: (y - anchorY * rows) * tileHeight * down + 0,
      }));
      // Mirrored, it would be solid from the other side.
      return { type: "chain", points: down < 0 ? placed.reverse() : placed, loop, ...material };
    });
  }

  return {
    early: update,
    update,
    dispose() {
      for (const end of ends) end();
      for (const reader of readers) reader.close();
      known.clear();
      fitted.clear();
    },
  };
}

function solidTest(map: Map2D, solid: readonly number[] | null): (column: number, row: number) => boolean {
  const { tiles, columns } = map;
  const numbers = solid === null ? undefined : new Set(solid);
  return (column, row) => {
    const tile = tiles[row * columns + column] ?? -1;
    return tile >= 0 && (numbers === undefined || numbers.has(tileNumber(tile)));
  };
}

/** Whether two maps have the same chunks. */
function isCutAlike(a: Map2D, b: Map2D): boolean {
  return a.columns === b.columns && a.rows === b.rows && a.chunk === b.chunk;
}

/** Whether only the tiles may differ. */
function isAlike(
  { map: a, collider }: Known,
  b: Map2D,
  { solid, friction, restitution, layer }: ValueOf<TileColliderSchema>,
): boolean {
  const keys = ["tileWidth", "tileHeight", "anchorX", "anchorY"] as const;
  return (
    isCutAlike(a, b) &&
    keys.every((key) => a[key] === b[key]) &&
    collider.solid === solid &&
    collider.friction === friction &&
    collider.restitution === restitution &&
    collider.layer === layer
  );
}

/** The chunks in which, or next to which, a tile differs. */
function chunksBeside(before: Map2D, after: Map2D): Set<number> {
  const found = new Set<number>();
  if (before.tiles === after.tiles) return found;
  const { columns, rows } = after;
  const side = Math.max(Math.floor(after.chunk) || 1, 1);
  const across = Math.ceil(columns / side);
  const add = (column: number, row: number) => {
    if (column >= 0 && row >= 0 && column < columns && row < rows)
      found.add(Math.floor(row / side) * across + Math.floor(column / side));
  };
  const [a, b] = [before.tiles, after.tiles];
  const length = Math.min(Math.max(a.length, b.length), columns * rows);
  for (let at = 0; at < length; at++) {
    if (a[at] === b[at]) continue;
    const [column, row] = [at % columns, Math.floor(at / columns)];
    add(column, row);
    add(column - 1, row);
    add(column + 1, row);
    add(column, row - 1);
    add(column, row + 1);
  }
  return found;
}
