/** A world that is shown: signals of everything that has one. */
import { component, createWorld, f32, resource } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createHistory } from "espalier/history";
import { createInherited, visibility } from "espalier/inherit";
import { componentSignal, createSignals } from "espalier/signals";
import { createTransforms2D } from "espalier/transform";
import { otherHandles } from "./other-handles.ts";
import type { Stage } from "./runner.ts";

const Health = component("Health", { hp: f32(100) });
const Gravity = resource("Gravity", () => -9.81);

export function signalsStage(): Stage {
  const reported: unknown[] = [];
  const world = createWorld({ onError: (error) => void reported.push(error) });
  const tree = createHierarchy(world, { onWarn: () => {} });
  const space = createTransforms2D(tree);
  const history = createHistory(world);
  const shown = createInherited(tree, visibility);
  const entity = world.spawn(Health, space.at(0, 0));
  const signals = createSignals(world, { schedule: "manual", frame: "manual" });
  const signal = componentSignal(signals, entity, Health);
  signal.subscribe(() => {});
  return {
    world,
    ...otherHandles(world),
    reported,
    objects: [
      ["signals", "Signals", signals],
      ["signal", "Signal", signal],
    ],
    right: {
      World: world,
      Signals: signals,
      Hierarchy: tree,
      tree,
      Entity: entity,
      "Entity | null": entity,
      Transforms2D: space,
      "Transforms2D | Transforms3D": space,
      Inherited: shown,
      UndoHistory: history,
      component: Health,
      resource: Gravity,
      Resource: Gravity,
      query: world.query(Health),
      terms: Health,
      space,
      history,
    },
    poke() {
      if (world.isDisposed) return;
      world.set(entity, Health, { hp: 1 });
      tree.attachNew(entity, Health);
      signals.flush();
      signal.get();
    },
  };
}
