/**
 * What each client sees, as views of Colyseus: entities come to a view and leave it, those above them first.
 */

import type { Client } from "@colyseus/core";
import type { StateView } from "@colyseus/schema";
import { describeValue, type Entity } from "espalier";
import { InvalidMultiplayerError } from "../errors.ts";
import type { EntityState } from "../state-classes.ts";
import type { Mirror, MirroredGame } from "./mirror.ts";

/** A client that sees. */
export interface Viewer {
  /** Its session. */
  readonly sessionId: string;
  /** What it owns. */
  readonly owned: ReadonlySet<Entity>;
}

/** Sees what is near to something it owns: needs a game with 2D transforms. */
export interface SeeNear {
  /** How far it sees, in units of the world. */
  readonly distance: number;
  /** How much farther something must be to get out of sight: a tenth of the distance if left out. */
  readonly margin?: number;
}

/** Sees the subtrees of some entities. */
export interface SeeBelow {
  /** The entities below which everything is seen, themselves included. Below one that is destroyed there is nothing. */
  readonly below: (viewer: Viewer) => Entity | readonly Entity[] | null;
}

/**
 * What a client sees, asked before each patch. What it owns it always sees, and with an entity everything above it, so that places in the
 * world are right.
 */
export type Sight = SeeNear | SeeBelow | ((entity: Entity, viewer: Viewer) => boolean);

interface Seeing extends Viewer {
  readonly client: Client;
}

/** What is asked for one viewer after the other. `isSeen` is what the viewer saw before. */
type Look = (viewer: Viewer) => (entity: Entity, isSeen: boolean) => boolean;

export class Sights {
  private readonly game: MirroredGame;
  private readonly mirror: Mirror;
  private readonly seen = new Map<string, Set<EntityState>>();
  private readonly sight: Sight;

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

  /** Brings the views of clients up to date. One that is lost gets the state of its old view when it is back, and what changed after that. */
  lookAll(viewers: Iterable<Seeing>, isHere: (client: Client) => boolean): void {
    const look = this.prepare();
    for (const viewer of viewers) {
      const { view } = viewer.client;
      if (view !== undefined && isHere(viewer.client)) this.update(viewer, view, look);
    }
  }

  /** Brings one view up to date. */
  look(viewer: Viewer, view: StateView): void {
    this.update(viewer, view, this.prepare());
  }

  forget(sessionId: string): void {
    this.seen.delete(sessionId);
  }

  private update(viewer: Viewer, view: StateView, look: Look): void {
    const { mirror } = this;
    const before = this.seen.get(viewer.sessionId) ?? new Set<EntityState>();
    const sees = look(viewer);
    const now = new Set<EntityState>();
    for (const [key, state] of mirror.all()) {
      if (now.has(state)) continue;
      if (viewer.owned.has(key as Entity) || sees(key as Entity, before.has(state))) this.include(state, now);
    }
    for (const state of before) {
      // What was destroyed leaves the view by itself.
      if (!now.has(state) && mirror.entityOf(state) !== undefined) view.remove(state);
    }
    for (const state of now) if (!before.has(state)) view.add(state);
    this.seen.set(viewer.sessionId, now);
  }

  /** With everything above it, from the top. */
  private include(state: EntityState, into: Set<EntityState>): void {
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
    if (typeof sight === "function") return (viewer) => (entity) => sight(entity, viewer);
    return "below" in sight ? this.lookBelow(sight) : this.lookNear(sight);
  }

  private lookBelow({ below }: SeeBelow): Look {
    const { tree } = this.game;
    return (viewer) => {
      const tops = ([below(viewer) ?? []].flat() as Entity[]).filter((top) => this.game.world.isAlive(top));
      const seen = new Set<Entity>(tops);
      for (const top of tops) for (const entity of tree.descendants(top)) seen.add(entity);
      return (entity) => seen.has(entity);
    };
  }

  /** Where everything is, once for all viewers. What has no place is seen from everywhere. */
  private lookNear({ distance, margin = distance / 10 }: SeeNear): Look {
    const space = spaceOf(this.game) as Space;
    const places = new Map<Entity, Place>();
    for (const [key] of this.mirror.all()) {
      const entity = key as Entity;
      if (this.game.world.has(entity, space.component as never)) {
        places.set(entity, { ...space.worldPosition(entity) });
      }
    }
    const near = distance ** 2;
    const far = (distance + margin) ** 2;
    return ({ owned }) => {
      const eyes = [...owned].flatMap((entity) => places.get(entity) ?? []);
      return (entity, isSeen) => {
        const place = places.get(entity);
        if (place === undefined) return true;
        const limit = isSeen ? far : near;
        return eyes.some(({ x, y }) => (x - place.x) ** 2 + (y - place.y) ** 2 <= limit);
      };
    };
  }
}

interface Place {
  readonly x: number;
  readonly y: number;
}

/** The 2D transforms of a game, as far as they are used here. */
interface Space {
  readonly component: unknown;
  worldPosition(entity: Entity): Place;
}

function spaceOf(game: MirroredGame): Space | undefined {
  const { space } = game as MirroredGame & { space?: Space };
  return typeof space?.worldPosition === "function" ? space : undefined;
}
