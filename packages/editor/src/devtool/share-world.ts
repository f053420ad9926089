/**
 * The game's side: shares a world with remote editors, and applies their changes. Needs no browser.
 *
 * It sends snapshots, which hold handles as they are, so that an entity has the same handle on both sides; changes come back as patches.
 */
import type { World } from "espalier";
import type { Hierarchy } from "espalier/hierarchy";
import { applyPatch, type Patch, takeSnapshot } from "espalier/history";
import { type DescribedComponent, describeComponent } from "../document/described-components.ts";
import type { Channel } from "./channel.ts";
import { componentsOf } from "./live-document.ts";
import type { Pausable } from "./live-session.ts";

/** Options of `shareWorld`. */
export interface ShareOptions {
  /** The world that is shared. */
  readonly world: World;
  /** The tree of the world. */
  readonly tree: Hierarchy;
  /** Snapshots a second while an editor watches: 4 if left out. */
  readonly rate?: number;
  /** Lets editors pause the game. A `Game` is one. */
  readonly pausable?: Pausable;
}

/** The game's description of its world. */
export interface Hello {
  readonly type: "hello";
  /** Different for each game, even on the same channel. */
  readonly session: string;
  readonly tree: string;
  readonly components: readonly DescribedComponent[];
  readonly canPause: boolean;
}

/** All messages of a game except snapshots. */
export type Report =
  | { readonly type: "refused"; readonly message: string }
  /** Sent with every snapshot. */
  | { readonly type: "state"; readonly isPaused: boolean }
  | { readonly type: "bye" };

/** The messages of an editor. */
export type Wish =
  | { readonly type: "watch" }
  | { readonly type: "leave" }
  | { readonly type: "pause" }
  | { readonly type: "resume" }
  | { readonly type: "step" }
  | { readonly type: "patch"; readonly patch: Patch };

const wishes = ["watch", "leave", "pause", "resume", "step", "patch"];

/** Editors that sent nothing for this many milliseconds are considered gone. */
const PATIENCE = 5000;

/**
 * Shares the world with editors that watch the channel. Costs nothing while none does. Returns a function that ends it.
 *
 * Call it after the components of the game are known to the world, or again when components were added.
 */
export function shareWorld(channel: Channel, options: ShareOptions): () => void {
  const { world, tree, rate = 4, pausable } = options;
  const session = crypto.randomUUID();
  let watchedUntil = 0;
  let described = 0;
  const say = (message: Hello | Report) => channel.send(JSON.stringify(message));
  const hello = () => {
    const components = componentsOf(world).map((component) => describeComponent(component));
    described = components.length;
    say({ type: "hello", session, tree: tree.name, components, canPause: pausable !== undefined });
  };
  const show = () => {
    if (componentsOf(world).length !== described) hello();
    channel.send(takeSnapshot(world, { trees: [tree] }));
    say({ type: "state", isPaused: pausable?.isPaused === true });
  };
  const obey = (wish: Exclude<Wish, { readonly type: "watch" | "leave" }>) => {
    try {
      if (wish.type === "patch") applyPatch(world, wish.patch, { trees: [tree] });
      else {
        pausable?.[wish.type]();
        show();
      }
    } catch (error) {
      say({ type: "refused", message: (error as Error).message });
    }
  };
  const stop = channel.listen((message) => {
    if (typeof message !== "string") return;
    const wish = parseWish(message);
    if (wish === undefined) return;
    if (wish.type === "leave") watchedUntil = 0;
    else if (wish.type === "watch") {
      if (Date.now() > watchedUntil) hello();
      watchedUntil = Date.now() + PATIENCE;
    } else obey(wish);
  });
  const timer = setInterval(() => {
    if (Date.now() <= watchedUntil && !world.isDisposed) show();
  }, 1000 / rate);
  (timer as { unref?: () => void }).unref?.();
  return () => {
    clearInterval(timer);
    stop();
    if (Date.now() <= watchedUntil) say({ type: "bye" });
  };
}

function parseWish(message: string): Wish | undefined {
  try {
    const value = JSON.parse(message) as Wish;
    return wishes.includes(value?.type) ? value : undefined;
  } catch {
    return undefined;
  }
}
