/** pixi.js asks for the browser's name when it is imported; Node before version 21 has no `navigator`. */
globalThis.navigator ??= { userAgent: "node" };
