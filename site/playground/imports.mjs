/** Which programs the playground can run: those that import nothing else. `modules.ts` has the same names. */
export const importable = [
  "espalier",
  "espalier/hierarchy",
  "espalier/inherit",
  "espalier/transform",
  "espalier/history",
  "espalier/scene",
  "espalier/render",
  "espalier/canvas",
  "espalier/pixi",
  "espalier/three",
  "espalier/signals",
  "espalier/react",
  "espalier/physics",
  "espalier/physics/box2d",
  "espalier/game",
  "espalier/game/gestures",
  "espalier/game/remote",
  "espalier/animation",
  "espalier/audio",
  "espalier/audio/web",
  "espalier/verbs",
  "@espalier/editor",
  "@preact/signals-core",
  "@react-three/fiber",
  "nipplejs",
  "pixi.js",
  "react",
  "react-dom/client",
  "react-dom/server",
  "react/jsx-runtime",
  "three",
  "three/addons/loaders/GLTFLoader.js",
];

/**
 * Whether the playground has everything that a program imports.
 *
 * @param {string} code
 */
export function canRun(code) {
  const names = [...code.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].map(([, name = ""]) => name);
  return names.every((name) => importable.includes(name));
}

/**
 * Whether a program needs a page, with a canvas and elements; others run in a worker.
 *
 * @param {string} code
 */
export function needsPage(code) {
  return /\b(document|window|requestAnimationFrame)\b/.test(code);
}
