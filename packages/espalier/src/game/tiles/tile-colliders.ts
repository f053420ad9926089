/**
 * Keeps the shapes of solid tiles as their maps are: an entity with a collider below the map for each chunk that has solid tiles, remade when a tile
 * in it, or beside it, changed.
 *
 * Outlines and not boxes: over the seams of boxes things catch. By chunks, because one outline of a large map would be remade as a whole.
 */
import { type Entity, Transient, type ValueOf, type World } from "../../ecs/index.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";
import { unrecorded } from "../../history/index.ts";
import { Collider, type ColliderShape, tileOutlines } from "../../physics/index.ts";
import { chunksOf, Tilemap, type TilemapSchema, tileNumber, type YAxis } from "../../render/index.ts";
import type { GamePart } from "../game-api.ts";
import type { RunningPart } from "../parts/part.ts";
import { TileCollider, TileColliderChunk, type TileColliderSchema } from "./tile-collider.ts";

/** What `tileColliderPart` makes: `game.parts.<name>`. */
export interface TileColliders extends RunningPart {
  /** Brings the shapes up to date now. Every step does it before systems and behaviours. */
  update(): void;
}

type Map2D = ValueOf<TilemapSchema>;

interface Known {
  map: Map2D;
  collider: ValueOf<TileColliderSchema>;
  /** By the number of the chunk. */
  readonly chunks: Map<number, Entity>;
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
  const readers = [world.changes(Tilemap), world.changes(TileCollider)];
  const maps = world.query(Tilemap, TileCollider);
  let isFirst = true;

  function update(): void {
    if (!isFirst && readers.every(({ pending }) => pending === 0)) return;
    const changed = new Set<Entity>(isFirst ? maps : []);
    isFirst = false;
    for (const reader of readers) reader.forEach((entity) => void changed.add(entity));
    // What follows from maps is not the history's: after an undo it is made again.
    if (changed.size > 0)
      unrecorded(world, () => {
        for (const entity of [...changed].sort((a, b) => a - b)) bring(entity);
      });
  }

  function bring(entity: Entity): void {
    const before = known.get(entity);
    const isAlive = world.isAlive(entity);
    const map = isAlive ? world.get(entity, Tilemap) : undefined;
    const collider = isAlive ? world.get(entity, TileCollider) : undefined;
    if (map === undefined || collider === undefined) {
      known.delete(entity);
      if (isAlive) clear(entity);
      return;
    }
    const isSame =
      before !== undefined &&
      isAlike(before, map, collider) &&
      [...before.chunks.values()].every(world.isAlive, world);
    const now: Known = isSame ? before : { map, collider, chunks: new Map() };
    if (!isSame) clear(entity);
    const wanted = isSame ? chunksBeside(before.map, map) : undefined;
    now.map = map;
    known.set(entity, now);
    const isSolid = solidTest(map, collider.solid);
    for (const chunk of chunksOf(map)) {
      if (wanted !== undefined && !wanted.has(chunk.index)) continue;
      const shapes = shapesOf(
        tileOutlines({ columns: map.columns, rows: map.rows, isSolid }, chunk),
        map,
        collider,
      );
      const holder = now.chunks.get(chunk.index);
      if (shapes.length === 0) {
        if (holder !== undefined) world.destroy(holder);
        now.chunks.delete(chunk.index);
      } else if (holder !== undefined) world.set(holder, Collider, { shapes });
      else {
        // It follows from the map, so files leave it out.
        const made = tree.attachNew(
          entity,
          TileColliderChunk({ index: chunk.index }),
          Collider({ shapes }),
          Transient,
        );
        now.chunks.set(chunk.index, made);
      }
    }
  }

  /** Takes away what was made for a map before, also by another game: a snapshot brings it back. */
  function clear(entity: Entity): void {
    for (const child of [...tree.childrenOf(entity)])
      if (world.has(child, TileColliderChunk)) world.destroy(child);
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
      // Mirrored it would be solid from its other side.
      return { type: "chain", points: down < 0 ? placed.reverse() : placed, loop, ...material };
    });
  }

  return {
    early: update,
    update,
    dispose() {
      for (const reader of readers) reader.close();
      known.clear();
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

/** Whether only the tiles may differ. */
function isAlike(
  { map: a, collider }: Known,
  b: Map2D,
  { solid, friction, restitution, layer }: ValueOf<TileColliderSchema>,
): boolean {
  const keys = ["columns", "rows", "chunk", "tileWidth", "tileHeight", "anchorX", "anchorY"] as const;
  return (
    keys.every((key) => a[key] === b[key]) &&
    collider.solid === solid &&
    collider.friction === friction &&
    collider.restitution === restitution &&
    collider.layer === layer
  );
}

/** The chunks in which, or beside which, a tile differs. */
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
