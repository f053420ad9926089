import { checkWorld, type Entity, Transient } from "espalier";
import { createGame, type Game, sceneFiles, TileCollider, tileColliderPart } from "espalier/game";
import { createHistory } from "espalier/history";
import { Collider, createPhysics, RigidBody, STATIC } from "espalier/physics";
import { loadBox2D } from "espalier/physics/box2d";
import { EMPTY_TILE, FLIP_TILE_X, setTile, Tilemap, type YAxis } from "espalier/render";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { property } from "../testing.ts";

let box2d: Awaited<ReturnType<typeof loadBox2D>>;
beforeAll(async () => {
  box2d = await loadBox2D();
});

function createScene(yAxis: YAxis = "up", columns = 80, rows = 4) {
  const gravity = { x: 0, y: yAxis === "up" ? -500 : 500 };
  const game = createGame({
    yAxis,
    physics: ({ space }) => createPhysics(space, box2d, { unitsPerMetre: 50, gravity }),
    parts: { tiles: tileColliderPart() },
  });
  const tiles = Array.from({ length: columns * rows }, (_, k) => (k < columns * 2 ? EMPTY_TILE : k % 7));
  const map = game.spawn(
    game.space.at(0, 0),
    Tilemap({ columns, rows, tiles }),
    RigidBody({ type: STATIC }),
    TileCollider({ friction: 0 }),
  );
  const down = yAxis === "up" ? -1 : 1;
  const box = game.spawn(
    game.space.at(20, 26 * down),
    RigidBody({ velocityX: 300 }),
    Collider({ shapes: [{ type: "box", width: 10, height: 10, friction: 0 }] }),
  );
  return { game, map, box, down };
}

/** Entities that hold shapes of tiles have it, and nothing else here does. */
const TileColliderShapes = Transient;

function spawnMap(game: Game) {
  return game.spawn(
    Tilemap({ columns: 40, rows: 1, tiles: Array.from({ length: 40 }, (_, k) => (k % 5) - 1) }),
    TileCollider,
  );
}

/** The shapes of a map, chunk by chunk. */
function shapesBelow({ world, tree }: Game, map: Entity) {
  return tree.childrenOf(map).map((chunk) => world.get(chunk, Collider)?.shapes);
}

describe("TileCollider", () => {
  it.each(["up", "down"] as const)("lets a box slide over 80 tiles without a bump, y %s", (yAxis) => {
    const { game, box, down } = createScene(yAxis);
    game.step(20);
    const [ground, speed] = [box.y, game.physics!.velocityOf(box.id).x];
    expect(ground * down).toBeCloseTo(27, 0);
    let farthest = 0;
    for (let k = 0; k < 200 && box.x < 79 * 16; k++) {
      game.step();
      farthest = Math.max(farthest, Math.abs(box.y - ground));
      expect(Math.abs(game.physics!.velocityOf(box.id).y)).toBeLessThan(2);
      expect(game.physics!.velocityOf(box.id).x).toBeCloseTo(speed, 1);
    }
    expect(box.x).toBeGreaterThan(60 * 16);
    expect(farthest).toBeLessThan(0.2);
  });

  it("has a hole in the step after a tile went, and remakes only the chunks around it", () => {
    const { game, map, box } = createScene();
    game.step();
    const before = new Map(map.children.map((chunk) => [chunk.id, chunk.get(Collider).shapes]));
    expect(before.size).toBe(5);
    for (const row of [2, 3]) setTile(game.world, map.id, 1, row, EMPTY_TILE);
    game.step();
    const after = new Map(map.children.map((chunk) => [chunk.id, chunk.get(Collider).shapes]));
    expect([...after.keys()]).toEqual([...before.keys()]);
    expect([...after].filter(([id, shapes]) => before.get(id) !== shapes)).toHaveLength(1);
    box.set(RigidBody, { velocityX: 0 });
    box.x = 24;
    game.step(120);
    expect(box.y).toBeLessThan(-80);
  });

  it("takes the listed tiles only, however they are turned, and lets go when it is removed", () => {
    const { game, map } = createScene();
    map.set(TileCollider, { solid: [3] });
    map.set(Tilemap, { columns: 3, rows: 1, tiles: [3 + FLIP_TILE_X, 1, 3] });
    game.step();
    expect(map.children.map((chunk) => chunk.get(Collider).shapes.length)).toEqual([2]);
    map.remove(TileCollider);
    game.step();
    expect(map.children).toEqual([]);
  });

  it("has no shapes while the map has no tiles", () => {
    const { game, map } = createScene();
    game.step();
    expect(game.world.query(Collider, TileColliderShapes).count()).toBe(5);
    map.set(Tilemap, { tiles: [] });
    game.step();
    expect(game.world.query(Collider, TileColliderShapes).count()).toBe(0);
  });

  it.each(["orphan", "adopt", "cascade"] as const)(
    "leaves nothing behind when its map is destroyed: %s",
    (children) => {
      const { game, map } = createScene();
      game.step();
      map.parent = game.spawn();
      game.destroyEntity(map, { children });
      expect(game.world.query(TileColliderShapes).count()).toBe(0);
    },
  );

  it("leaves nothing behind when its map is destroyed before the first step", () => {
    const { game, map } = createScene();
    game.destroyEntity(map, { children: "orphan" });
    expect(game.world.query(TileColliderShapes).count()).toBe(0);
  });

  it("has as many chunks as its map after that was changed and changed back within a step", () => {
    const { game, map } = createScene();
    game.step();
    for (const columns of [160, 80, 16, 80]) map.set(Tilemap, { columns });
    expect(map.children).toHaveLength(5);
    game.step();
    expect(map.children).toHaveLength(5);
  });

  it("adds no step of its own to a history when it is taken off and put on again within a step", () => {
    const game = createGame({
      parts: { tiles: tileColliderPart() },
      history: ({ world }) => createHistory(world),
    });
    const history = game.history!;
    const map = spawnMap(game);
    game.step();
    history.step("off", () => map.remove(TileCollider));
    history.step("on", () => map.add(TileCollider));
    game.step();
    history.undo();
    expect([map.has(TileCollider), map.children]).toEqual([false, []]);
    history.redo();
    // The same change again, after an undo.
    history.step("wide", () => map.set(Tilemap, { columns: 80 }));
    history.undo();
    history.step("wide", () => map.set(Tilemap, { columns: 80 }));
    expect(map.children).toHaveLength(5);
  });

  it("stays as the map is through random edits, undone and redone, and leaves nothing behind", () => {
    const edit = fc.tuple(
      fc.constantFrom("tile", "resize", "solid", "on", "off", "destroy", "spawn", "undo", "redo", "step"),
      fc.nat(39),
      fc.nat(3),
    );
    property(
      fc.array(edit, { maxLength: 40 }),
      (edits) => {
        const options = {
          parts: { tiles: tileColliderPart() },
          history: ({ world }: Game) => createHistory(world),
        };
        const game = createGame(options);
        const history = game.history!;
        let map = spawnMap(game);
        const alter = (label: string, change: () => void) => void history.step(label, change);
        for (const [what, k, tile] of edits) {
          const isThere = map.isAlive;
          if (what === "step") game.step();
          else if (what === "undo") history.undo();
          else if (what === "redo") history.redo();
          else if (what === "spawn" && !isThere) alter(what, () => void (map = spawnMap(game)));
          else if (!isThere) continue;
          else if (what === "tile")
            alter(what, () => {
              if (k < map.get(Tilemap).columns) setTile(game.world, map.id, k, 0, tile - 1);
            });
          else if (what === "resize") alter(what, () => map.set(Tilemap, { columns: k, chunk: 8 + tile }));
          else if (what === "solid") alter(what, () => map.add(TileCollider({ solid: [tile] })));
          else if (what === "on") alter(what, () => map.add(TileCollider));
          else if (what === "off") alter(what, () => map.remove(TileCollider));
          else if (what === "destroy") alter(what, () => map.destroy());
        }
        game.step();
        const maps = [...game.world.query(Tilemap, TileCollider)];
        const wanted = maps.map((entity) => {
          const fresh = createGame(options);
          const tiles = game.world.get(entity, Tilemap)!;
          const copy = fresh.spawn(Tilemap(tiles), TileCollider(game.world.get(entity, TileCollider)!));
          fresh.step();
          return shapesBelow(fresh, copy.id);
        });
        expect(maps.map((entity) => shapesBelow(game, entity))).toEqual(wanted);
        const below = maps.flatMap((entity) => game.tree.childrenOf(entity));
        expect([...game.world.query(TileColliderShapes)].sort()).toEqual(below.sort());
        expect(checkWorld(game.world)).toEqual([]);
        game.stop();
      },
      40,
    );
  });

  it("is saved with its map and not with what was made of it", async () => {
    const level = {
      entities: [
        {
          id: "map",
          components: {
            Transform2D: {},
            Tilemap: { columns: 2, rows: 1, tiles: [1, 1] },
            TileCollider: {},
          },
        },
      ],
    };
    const options = { components: [Collider], parts: { tiles: tileColliderPart() } };
    const game = createGame({ ...options, scenes: sceneFiles({ level }) });
    const scene = await game.load("level");
    const before = scene.save();
    game.step();
    const [map] = scene.roots();
    expect(game.entity(map!).children).toHaveLength(1);
    expect(scene.save()).toBe(before);

    const again = createGame({ ...options, scenes: sceneFiles({ level: scene.save() }) });
    const [copy] = (await again.load("level")).roots();
    again.step();
    expect(again.entity(copy!).children).toHaveLength(1);
  });

  it.each([[["a"]], [[-1]], ["all"]])("refuses %j as solid tiles", (solid) => {
    const { map } = createScene();
    expect(() => map.set(TileCollider, { solid: solid as never })).toThrow("takes an array of tile numbers");
  });
});
