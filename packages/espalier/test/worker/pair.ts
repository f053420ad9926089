/** A host and its mirror on two ports of one process, for tests. */
import { MessageChannel, type MessagePort } from "node:worker_threads";
import { component, createWorld, type Entity, entityRef, f32, string, u32, type World } from "espalier";
import { createHierarchy, type Hierarchy } from "espalier/hierarchy";
import { createTransforms2D, type Transforms2D } from "espalier/transform";
import {
  type HostOptions,
  hostWorld,
  type MirrorOptions,
  type MirrorTick,
  mirrorWorld,
  type WorldHost,
  type WorldMirror,
} from "espalier/worker";

export const Key = component("Key", { value: u32() });
export const Health = component("Health", { hp: f32(100), note: string("") });
export const Target = component("Target", { at: entityRef() });
export const shared = [Key, Health, Target];

export interface Side {
  readonly world: World;
  readonly tree: Hierarchy;
  readonly space: Transforms2D;
}

export function createSide(): Side {
  const world = createWorld();
  const tree = createHierarchy(world);
  return { world, tree, space: createTransforms2D(tree) };
}

export interface Pair {
  readonly worker: Side;
  readonly page: Side;
  readonly host: WorldHost;
  readonly mirror: WorldMirror;
  readonly ports: readonly [MessagePort, MessagePort];
  readonly ticks: MirrorTick[];
  readonly errors: Error[];
  close(): void;
}

export type Memory = "shared" | "transferred";

export function connect(
  memory: Memory,
  hostOptions: Partial<HostOptions> = {},
  mirrorOptions: Partial<MirrorOptions> = {},
): Pair {
  const [worker, page] = [createSide(), createSide()];
  const { port1, port2 } = new MessageChannel();
  const common = memory === "transferred" ? { memory } : {};
  const ticks: MirrorTick[] = [];
  const errors: Error[] = [];
  const host = hostWorld(worker.world, {
    components: shared,
    spaces: [worker.space],
    port: port1,
    ...common,
    ...hostOptions,
  });
  const mirror = mirrorWorld(page.world, {
    components: shared,
    spaces: [page.space],
    port: port2,
    onTick: (tick) => ticks.push(tick),
    onError: (error) => errors.push(error),
    ...common,
    ...mirrorOptions,
  });
  const close = () => {
    mirror.close();
    host.close();
    port1.close();
  };
  return { worker, page, host, mirror, ports: [port1, port2], ticks, errors, close };
}

/** Resolves when all that was sent has arrived, in both directions and back. */
export async function settled(): Promise<void> {
  for (let k = 0; k < 6; k++) await new Promise((resolve) => setImmediate(resolve));
}

/** Everything in it that has a key, as text: the same for two worlds exactly when they are the same. */
export function textOf({ world, tree, space }: Side): string {
  const keyOf = (entity: Entity | null) => (entity === null ? null : (world.get(entity, Key)?.value ?? null));
  const lines = [...world.query(Key)].map((entity) => {
    const parent = tree.parentOf(entity);
    return [
      keyOf(entity),
      keyOf(parent),
      parent === null ? 0 : tree.childrenOf(parent).map(keyOf).indexOf(keyOf(entity)),
      tree.nameOf(entity) ?? null,
      world.get(entity, Health) ?? null,
      world.has(entity, space.component) ? space.localOf(entity) : null,
      world.has(entity, Target) ? keyOf(world.get(entity, Target)?.at ?? null) : "none",
    ];
  });
  lines.sort((a, b) => (a[0] as number) - (b[0] as number));
  return JSON.stringify(lines);
}
