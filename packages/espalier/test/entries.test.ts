import { describe, expect, it } from "vitest";

const entries = {
  espalier: () => import("espalier"),
  "espalier/hierarchy": () => import("espalier/hierarchy"),
  "espalier/inherit": () => import("espalier/inherit"),
  "espalier/transform": () => import("espalier/transform"),
  "espalier/history": () => import("espalier/history"),
  "espalier/log": () => import("espalier/log"),
  "espalier/worker": () => import("espalier/worker"),
  "espalier/scene": () => import("espalier/scene"),
  "espalier/verbs": () => import("espalier/verbs"),
  "espalier/game": () => import("espalier/game"),
  "espalier/game/gestures": () => import("espalier/game/gestures"),
  "espalier/game/remote": () => import("espalier/game/remote"),
  "espalier/vite": () => import("espalier/vite"),
  "espalier/render": () => import("espalier/render"),
  "espalier/canvas": () => import("espalier/canvas"),
  "espalier/signals": () => import("espalier/signals"),
  "espalier/react": () => import("espalier/react"),
  "espalier/three": () => import("espalier/three"),
  "espalier/animation": () => import("espalier/animation"),
  "espalier/audio": () => import("espalier/audio"),
  "espalier/audio/web": () => import("espalier/audio/web"),
  "espalier/physics": () => import("espalier/physics"),
  "espalier/physics/box2d": () => import("espalier/physics/box2d"),
};

describe("every public name", () => {
  it.each(Object.entries(entries))(
    "%s loads, changes no global, and has no default export",
    async (_name, load) => {
      const before = Object.getOwnPropertyNames(globalThis);
      expect(Object.keys(await load())).not.toContain("default");
      expect(Object.getOwnPropertyNames(globalThis)).toEqual(before);
    },
  );
});
