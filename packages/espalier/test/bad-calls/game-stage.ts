/** A game without a screen, with everything that it can have. */
import { component, f32 } from "espalier";
import { assetFiles, behaviour, createGame, createTimers, message, sceneFiles } from "espalier/game";
import { entityEvent } from "espalier/hierarchy";
import { createHistory } from "espalier/history";
import { createParticles, createRecordingRenderer } from "espalier/render";
import { otherHandles } from "./other-handles.ts";
import type { Stage } from "./runner.ts";

const Health = component("Health", { hp: f32(100) });
const Spin = behaviour("Spin", { speed: f32(1) }, { update: () => {} });
const Hit = message<number>("hit");
const Done = entityEvent<void>("done");
const sceneText = `{ "entities": [{ "id": "a", "children": [{ "id": "b" }] }] }`;

export function gameStage(): Stage {
  const reported: unknown[] = [];
  const game = createGame({
    components: [Health],
    behaviours: [Spin],
    onError: (error) => void reported.push(error),
    onWarn: () => {},
    actions: { jump: ["Space"], walk: { left: ["KeyA"], right: ["KeyD"] } },
    scenes: sceneFiles({ level: sceneText }),
    assets: assetFiles({}),
    timers: createTimers,
    particles: ({ space }) => createParticles(space),
    history: ({ world }) => createHistory(world),
    frames: null,
    renderer: (made) => createRecordingRenderer(made.space, { onProblem: () => {} }),
  });
  const { world } = game;
  const tank = game.spawn(game.space.at(1, 2), Health, Spin);
  const turret = tank.spawn(game.space.at(3, 4));
  turret.name = "turret";
  game.step();
  const prefab = game.format.prefab(sceneText, { file: "p" });
  return {
    world,
    ...otherHandles(world),
    reported,
    objects: [
      ["game", "Game", game],
      ["tank", "EntityObject", tank],
      ["input", "Input", game.input],
      ["timers", "TimeKeeper", game.timers],
    ],
    right: {
      Game: game,
      Entity: turret.id,
      EntityLike: turret,
      "EntityLike | null": tank,
      entity: turret,
      parent: tank,
      child: turret,
      number: 1,
      seconds: 1,
      count: 1,
      string: "text",
      name: "jump",
      path: "/turret",
      Message: Hit,
      EntityEventKind: Done,
      kind: Done,
      handler: () => {},
      canvas: { getContext: () => null, clientWidth: 10, clientHeight: 10, style: {} },
      component: Health,
      Component: Health,
      to: { hp: 5 },
      TweenOptions: { seconds: 1 },
      components: Health,
      Prefab: prefab,
      prefab,
      "Scene | string": "level",
      file: "level",
      content: sceneText,
      ActionBinding: ["Space"],
      binding: ["Space"],
      events: { type: "key", code: "Space", down: true },
      steps: [{ wait: 1 }],
      InputRecording: { version: 1, step: game.stepSeconds, seed: 1, steps: 1, events: [] },
      hooks: { update: () => {} },
      schema: { speed: f32(1) },
      bound: Health,
      seed: 1,
      index: 0,
      local: { x: 1 },
      matrix: { a: 1, b: 0, c: 0, d: 1, x: 0, y: 0 },
      "string | SystemOptions": "system",
      given: { name: "extra", run: () => {} },
      hot: undefined,
    },
    poke() {
      if (game.isStopped || world.isDisposed) return;
      const made = game.spawn(Health({ hp: 1 }), Spin);
      game.send(Hit, 1);
      game.step(2);
      game.advance(0.02);
      made.destroy();
      game.step();
    },
    end: () => game.stop(),
  };
}
