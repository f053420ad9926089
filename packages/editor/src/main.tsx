/** The page that the server serves: the editor on the whole window. */
import { startEditor } from "./start-editor.ts";

/**
 * Loaded when the first scene with a body plays. Here and not in `startEditor`: pages without an engine must build
 * without one.
 */
const loadEngine = async () => (await import("espalier/physics/box2d")).loadBox2D();
const loadPixi = () => import("./viewport/pixi-canvas.ts");

const host = document.getElementById("editor");
if (host !== null) void startEditor(host, { play: { loadEngine }, loadPixi });
