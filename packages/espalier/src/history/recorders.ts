/**
 * A world has one recorder. Where several want to hear (a history, versions), they share it here.
 */
import type { Recorder, World } from "../ecs/index.ts";

const KEY = "espalier.history.recorders";

interface Shared {
  readonly recorders: readonly Recorder[];
  /** What this room gave the world, to tell it from a recorder of somebody else. */
  readonly given: Recorder;
}

/** Lets `recorder` hear of the changes of `world`, beside those that do already. */
export function addRecorder(world: World, recorder: Recorder): void {
  share(world, [...present(world), recorder]);
}

/** Ends that. Nothing happens when it did not hear. */
export function removeRecorder(world: World, recorder: Recorder): void {
  const left = present(world).filter((other) => other !== recorder);
  share(world, left);
}

/** Those that hear now, including one that was given to the world directly. */
function present(world: World): readonly Recorder[] {
  const { recorder } = world;
  const shared = world.attachments.get(KEY) as Shared | undefined;
  if (recorder === undefined) return [];
  return shared?.given === recorder ? shared.recorders : [recorder];
}

function share(world: World, recorders: readonly Recorder[]): void {
  const given = recorders.length > 1 ? toAll(recorders) : recorders[0];
  world.recorder = given;
  if (given === undefined) world.attachments.delete(KEY);
  else world.attachments.set(KEY, { recorders, given } satisfies Shared);
}

function toAll(recorders: readonly Recorder[]): Recorder {
  return {
    spawned: (entity, index, again) => {
      for (const each of recorders) each.spawned(entity, index, again);
    },
    destroying: (entity, index) => {
      for (const each of recorders) each.destroying(entity, index);
    },
    destroyed: (entity, index, archetype, takenBack) => {
      for (const each of recorders) each.destroyed(entity, index, archetype, takenBack);
    },
    added: (entity, index, store, row) => {
      for (const each of recorders) each.added(entity, index, store, row);
    },
    removing: (entity, index, store) => {
      for (const each of recorders) each.removing(entity, index, store);
    },
    writing: (entity, index, store, field, before) => {
      for (const each of recorders) each.writing(entity, index, store, field, before);
    },
    touched: (entity, index, store) => {
      for (const each of recorders) each.touched?.(entity, index, store);
    },
    changed: (owner, entity, a, b, extra) => {
      for (const each of recorders) each.changed(owner, entity, a, b, extra);
    },
  };
}
