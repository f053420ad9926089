import * as canvas from "espalier/canvas";
import * as render from "espalier/render";
import { describeBadCalls } from "./describe.ts";
import { drawingStage } from "./drawing-stage.ts";

describeBadCalls("drawing", { render, canvas }, drawingStage);
