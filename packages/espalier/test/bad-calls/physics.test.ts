import * as physics from "espalier/physics";
import * as box2d from "espalier/physics/box2d";
import { describeBadCalls } from "./describe.ts";
import { physicsStage } from "./physics-stage.ts";

describeBadCalls("physics", { physics, box2d }, physicsStage);
