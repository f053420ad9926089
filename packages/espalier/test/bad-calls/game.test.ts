import * as game from "espalier/game";
import { describeBadCalls } from "./describe.ts";
import { gameStage } from "./game-stage.ts";

describeBadCalls("the game layer", { game }, gameStage);
