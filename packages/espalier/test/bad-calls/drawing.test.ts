import * as canvas from "espalier/canvas";
import * as render from "espalier/render";
import { vi } from "vitest";
import { describeBadCalls } from "./describe.ts";
import { drawingStage } from "./drawing-stage.ts";

// Renderers that bad calls made say in the self-test which textures they lack.
vi.spyOn(console, "warn").mockImplementation(() => {});

describeBadCalls("drawing", { render, canvas }, drawingStage);
