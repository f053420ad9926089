/**
 * What each client sees, as views of Colyseus: entities are added to a view after their ancestors, and removed from it.
 */
import type { StateView } from "@colyseus/schema";
import { describeValue, type Entity } from "espalier";
import { InvalidMultiplayerError } from "../errors.ts";
import type { EntityState } from "../state-classes.ts";
import type { Mirror, MirroredGame } from "./mirror.ts";

/** A client that sees. */
export interface Viewer {
  /** Its session. */
  readonly sessionId: string;
  /** The entities that it owns. */
  readonly owned: ReadonlySet<Entity>;
}

/** Sees entities near to those it owns: needs a game with 2D transforms. */
export interface SeeNear {
  /** How far it sees, in units of the world. */
  readonly distance: number;
  /** How much farther an entity must be to get out of sight: a tenth of the distance if left out. */
  readonly margin?: number;
}

/** Sees the subtrees of some entities. */
export interface SeeBelow {
  /** Returns the entities whose subtrees are seen, including themselves. A destroyed entity has no subtree. */
  readonly below: (viewer: Viewer) => Entity | readonly Entity[] | null;
}

/**
 * What a client sees, evaluated before each patch. It always sees the entities it owns, and with an entity all its ancestors, so that world
 * positions are correct.
 */
export type Sight = SeeNear | SeeBelow | ((entity: Entity, viewer: Viewer) => boolean);

/** Evaluated for one viewer after the other. `before` is what the viewer saw. */
type Look = (viewer: Viewer, before: ReadonlySet<EntityState>) => Iterable<EntityState>;

/** The views of the clients of a room, updated from a mirror. A world room has one; with a `Mirror` of your own, create one yourself. */
export class Sights {
  private readonly game: MirroredGame;
  private readonly mirror: Mirror;
  private readonly seen = new Map<string, Set<EntityState>>();
  private readonly sight: Sight;

  /** @throws InvalidMultiplayerError for an invalid sight, or a distance in a game without 2D transforms. */
  constructor(game: MirroredGame, mirror: Mirror, sight: Sight) {
    const { distance, below, margin = 0 } = Object(sight) as Partial<SeeNear & SeeBelow>;
    const isNear = typeof distance === "number" && distance > 0 && margin >= 0;
    if (typeof sight !== "function" && typeof below !== "function" && !isNear) {
      throw new InvalidMultiplayerError(
        `Cannot host a world: see is a function, { below } or { distance } above 0, got ${describeValue(sight)}.`,
        { option: "see", value: sight },
      );
    }
    if (isNear && spaceOf(game) === undefined) {
      throw new InvalidMultiplayerError(
        "Cannot host a world: see by distance takes a game with 2D transforms, as createGame makes it. Pass a function instead.",
        { option: "see" },
      );
    }
    this.game = game;
    this.mirror = mirror;
    this.sight = sight;
  }

  /** Updates views. Positions of entities are computed once for all of them. */
  lookAll(viewers: Iterable<readonly [Viewer, StateView]>): void {
    const look = this.prepare();
    for (const [viewer, view] of viewers) this.update(viewer, view, look);
  }

  /** Updates one view. */
  look(viewer: Viewer, view: StateView): void {
    this.update(viewer, view, this.prepare());
  }

  /** The viewer has left. */
  forget(sessionId: string): void {
    this.seen.delete(sessionId);
  }

  private update(viewer: Viewer, view: StateView, look: Look): void {
    const { mirror } = this;
    const before = this.seen.get(viewer.sessionId) ?? new Set<EntityState>();
    const now = new Set<EntityState>();
    for (const entity of viewer.owned) this.include(mirror.stateOf(entity), now);
    for (const state of look(viewer, before)) this.include(state, now);
    for (const state of before) {
      // Destroyed entities leave the view automatically.
      if (!now.has(state) && mirror.entityOf(state) !== undefined) view.remove(state);
    }
    for (const state of now) if (!before.has(state)) view.add(state);
    this.seen.set(viewer.sessionId, now);
  }

  /** Adds it with all its ancestors, from the root. */
  private include(state: EntityState | undefined, into: Set<EntityState>): void {
    if (state === undefined || into.has(state)) return;
    if (state.parent <= 0) {
      into.add(state);
      return;
    }
    const chain: EntityState[] = [];
    for (
      let up: EntityState | undefined = state;
      up !== undefined && !into.has(up);
      up = up.parent > 0 ? this.mirror.stateOf(up.parent as Entity) : undefined
    ) {
      chain.push(up);
    }
    for (let k = chain.length - 1; k >= 0; k--) into.add(chain[k] as EntityState);
  }

  private prepare(): Look {
    const { sight } = this;
    if (typeof sight === "function") return (viewer) => this.where((entity) => sight(entity, viewer));
    return "below" in sight ? (viewer) => this.below(sight.below(viewer)) : this.lookNear(sight);
  }

  private *where(sees: (entity: Entity) => boolean): IterableIterator<EntityState> {
    for (const [key, state] of this.mirror.all()) if (sees(key as Entity)) yield state;
  }

  private *below(given: Entity | readonly Entity[] | null): IterableIterator<EntityState> {
    const { tree, world } = this.game;
    for (const top of [given ?? []].flat() as Entity[]) {
      if (!world.isAlive(top)) continue;
      for (const entity of [top, ...tree.descendants(top)]) {
        const state = this.mirror.stateOf(entity);
        if (state !== undefined) yield state;
      }
    }
  }

  /** Entities without a position are seen from everywhere. */
  private lookNear({ distance, margin = distance / 10 }: SeeNear): Look {
    const space = spaceOf(this.game) as Space;
    const near = distance ** 2;
    const far = (distance + margin) ** 2;
    const grid = new Grid(distance + margin);
    const everywhere: EntityState[] = [];
    const positionOf = (entity: Entity) =>
      this.game.world.has(entity, space.component as never) ? space.worldPosition(entity) : undefined;
    for (const [key, state] of this.mirror.all()) {
      const position = positionOf(key as Entity);
      if (position === undefined) everywhere.push(state);
      else grid.add(state, position.x, position.y);
    }
    return ({ owned }, before) => {
      const seen = [...everywhere];
      for (const entity of owned) {
        const eye = this.game.world.isAlive(entity) ? positionOf(entity) : undefined;
        if (eye === undefined) continue;
        const { x, y } = eye;
        for (const cell of grid.around(x, y)) {
          for (const item of cell) {
            const square = (x - item.x) ** 2 + (y - item.y) ** 2;
            if (square <= near || (square <= far && before.has(item.state))) seen.push(item.state);
          }
        }
      }
      return seen;
    };
  }
}

const STEPS = [-1, 0, 1] as const;

interface Item {
  readonly state: EntityState;
  readonly x: number;
  readonly y: number;
}

/** Squares as wide as the longest sight: entities seen from a position are in its square, or in an adjacent one. */
class Grid {
  private readonly size: number;
  private readonly columns = new Map<number, Map<number, Item[]>>();

  constructor(size: number) {
    this.size = size;
  }

  add(state: EntityState, x: number, y: number): void {
    const column = Math.floor(x / this.size);
    const row = Math.floor(y / this.size);
    let rows = this.columns.get(column);
    if (rows === undefined) this.columns.set(column, (rows = new Map()));
    const cell = rows.get(row);
    if (cell === undefined) rows.set(row, [{ state, x, y }]);
    else cell.push({ state, x, y });
  }

  around(x: number, y: number): Item[][] {
    const column = Math.floor(x / this.size);
    const row = Math.floor(y / this.size);
    const cells: Item[][] = [];
    // Steps, not bounds: beyond 2^53 a number plus one is the same number.
    for (const dx of STEPS) {
      const rows = this.columns.get(column + dx);
      if (rows === undefined) continue;
      for (const dy of STEPS) {
        const cell = rows.get(row + dy);
        if (cell !== undefined) cells.push(cell);
      }
    }
    return cells;
  }
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** The part of a game's 2D transforms that is used here. */
interface Space {
  readonly component: unknown;
  worldPosition(entity: Entity): Point;
}

function spaceOf(game: MirroredGame): Space | undefined {
  const { space } = game as MirroredGame & { space?: Space };
  return typeof space?.worldPosition === "function" ? space : undefined;
}
