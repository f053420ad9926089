import * as gestures from "espalier/game/gestures";
import * as remote from "espalier/game/remote";
import * as vite from "espalier/vite";
import { describeBadCalls } from "./describe.ts";
import { gameStage } from "./game-stage.ts";
import type { Stage } from "./runner.ts";

/** What a recogniser of gestures needs of an element. */
const element = {
  addEventListener: () => {},
  removeEventListener: () => {},
  getBoundingClientRect: () => ({ left: 0, top: 0 }),
  style: {},
};

function toolsStage(): Stage {
  const stage = gameStage();
  return { ...stage, objects: [], right: { ...stage.right, element } };
}

describeBadCalls("gestures, the remote and the Vite plugin", { gestures, remote, vite }, toolsStage);
