import * as three from "espalier/three";
import { describeBadCalls } from "./describe.ts";
import { threeStage } from "./three-stage.ts";

describeBadCalls("three", { three }, threeStage);
