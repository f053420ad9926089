/**
 * The side of the game: shows a world to editors elsewhere, and takes their changes. Needs no browser.
 *
 * It sends snapshots, which hold handles as they are, so that an entity is the same on both sides; changes come back as patches.
 */
import { type AnyComponent, listComponents, type World } from "espalier";
import type { Hierarchy } from "espalier/hierarchy";
import { applyPatch, type Patch, takeSnapshot } from "espalier/history";
import { type DescribedComponent, describeComponent } from "../document/described-components.ts";
import type { Channel } from "./channel.ts";

/** Options of `shareWorld`. */
export interface ShareOptions {
  /** The world that is shared. */
  readonly world: World;
  /** The tree of the world. */
  readonly tree: Hierarchy;
  /** Snapshots a second while an editor watches: 4 if left out. */
  readonly rate?: number;
}

/** What the game says of its world. */
export interface Hello {
  readonly type: "hello";
  readonly tree: string;
  readonly components: readonly DescribedComponent[];
}

/** What an editor says. */
export type Wish =
  | { readonly type: "watch" }
  | { readonly type: "leave" }
  | { readonly type: "patch"; readonly patch: Patch };

/** Editors that were not heard of for so long are gone, in milliseconds. */
const PATIENCE = 5000;

/**
 * Shares the world with editors that watch the channel. Costs nothing while none does. Returns a function that ends it.
 *
 * Call it after the components of the game are known to the world, or again when others were added.
 */
export function shareWorld(channel: Channel, { world, tree, rate = 4 }: ShareOptions): () => void {
  let watchedUntil = 0;
  let told = 0;
  const hello = () => {
    const components = componentsOf(world).map((component) => describeComponent(component));
    told = components.length;
    const message: Hello = { type: "hello", tree: tree.name, components };
    channel.send(JSON.stringify(message));
  };
  const stop = channel.listen((message) => {
    if (typeof message !== "string") return;
    const wish = parseWish(message);
    if (wish === undefined) return;
    if (wish.type === "leave") watchedUntil = 0;
    else if (wish.type === "watch") {
      if (Date.now() > watchedUntil) hello();
      watchedUntil = Date.now() + PATIENCE;
    } else {
      try {
        applyPatch(world, wish.patch, { trees: [tree] });
      } catch (error) {
        channel.send(JSON.stringify({ type: "refused", message: (error as Error).message }));
      }
    }
  });
  const timer = setInterval(() => {
    if (Date.now() > watchedUntil || world.isDisposed) return;
    if (componentsOf(world).length !== told) hello();
    channel.send(takeSnapshot(world, { trees: [tree] }));
  }, 1000 / rate);
  (timer as { unref?: () => void }).unref?.();
  return () => {
    clearInterval(timer);
    stop();
  };
}

function componentsOf(world: World): AnyComponent[] {
  return listComponents(world).flatMap(({ name, reserved }) =>
    reserved === undefined ? (world.componentNamed(name) ?? []) : [],
  );
}

function parseWish(message: string): Wish | undefined {
  try {
    const value = JSON.parse(message) as Wish;
    return ["watch", "leave", "patch"].includes(value?.type) ? value : undefined;
  } catch {
    return undefined;
  }
}
