import * as ecs from "espalier";
import * as hierarchy from "espalier/hierarchy";
import * as history from "espalier/history";
import * as inherit from "espalier/inherit";
import * as scene from "espalier/scene";
import * as transform from "espalier/transform";
import { coreStage } from "./core-stage.ts";
import { describeBadCalls } from "./describe.ts";

describeBadCalls("the core", { ecs, hierarchy, history, inherit, scene, transform }, coreStage);
