import { describeBadCalls } from "./describe.ts";

// Pixi asks for the browser when it is loaded.
if (!("navigator" in globalThis)) Object.assign(globalThis, { navigator: { userAgent: "" } });
const { openPixiRenderer: _needsBrowser, ...pixi } = await import("espalier/pixi");
const { pixiStage } = await import("./pixi-stage.ts");

describeBadCalls("pixi", { pixi }, pixiStage);
