/** The page of `large.mjs`: the editor and bare libraries, and the cases that run in them. A case gives how many frames it took. */

import { useVirtualizer } from "@tanstack/react-virtual";
import { transformBatch } from "espalier/transform";
import { Application, Container, Sprite, Texture } from "pixi.js";
import { createElement, memo, useRef } from "react";
import { createRoot } from "react-dom/client";
import { startEditor } from "../src/index.ts";

const place = document.getElementById("place");
const cases = {};

const frames = (count, each) =>
  new Promise((done) => {
    let left = count;
    const frame = () => {
      each();
      if (--left > 0) requestAnimationFrame(frame);
      else done(count);
    };
    requestAnimationFrame(frame);
  });
const until = (condition) =>
  new Promise((done) => {
    const look = () => (condition() ? done() : requestAnimationFrame(look));
    look();
  });

// Sprites ----------------------------------------------------------------------------------------------------------------

const SPRITES = 10_000;
const [startX, startY] = [(k) => (k % 125) * 5, (k) => Math.floor(k / 125) * 5];

function dot() {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 4;
  const context = canvas.getContext("2d");
  context.fillStyle = "#58b58b";
  context.fillRect(0, 0, 4, 4);
  return canvas;
}

async function editorSprites() {
  const app = await openEditor();
  app.textures.add("dot", dot());
  const entities = Array.from({ length: SPRITES }, (_, k) => ({
    id: `s${k}`,
    components: { Transform2D: { x: startX(k), y: startY(k) }, Sprite: { texture: "dot" } },
  }));
  await open(app, entities);
  const { document: scene, viewport } = app;
  const all = scene.world.entities();
  const batch = transformBatch(scene.space, all);
  const places = new Float32Array(
    all.flatMap((one) => {
      const { x, y } = scene.space.localOf(one);
      return [x, y];
    }),
  );
  cases.move = () =>
    frames(60, () => {
      for (let k = 0; k < places.length; k += 2) places[k] += 0.1;
      batch.write(places);
      // What a command of the editor does when it has changed something. Not a step of the history: what is measured is the drawing.
      scene.touch();
    });
  cases.pan = () => frames(60, () => viewport.camera.pan(1, 0));
}

async function pixiSprites() {
  const pixi = new Application();
  // As large as the viewport, and with the same settings: without a graphics card smooth edges cost the processor.
  const settings = { width: 680, height: 500, antialias: true, backgroundAlpha: 0 };
  await pixi.init({ ...settings, preference: "webgl", autoStart: false });
  place.append(pixi.canvas);
  // As fast as Pixi can: moving the camera moves one container.
  const stage = new Container({ isRenderGroup: true });
  pixi.stage.addChild(stage);
  const texture = Texture.from(dot());
  for (let k = 0; k < SPRITES; k++)
    stage.addChild(new Sprite({ texture, anchor: 0.5, x: startX(k), y: startY(k) }));
  cases.move = () =>
    frames(60, () => {
      for (const sprite of stage.children) sprite.x += 0.1;
      pixi.render();
    });
  cases.pan = () =>
    frames(60, () => {
      stage.x += 1;
      pixi.render();
    });
}

// The tree ---------------------------------------------------------------------------------------------------------------

const tree = [];
for (let a = 0; a < 100; a++) {
  tree.push({ id: `a${a}`, name: `group ${a}`, components: { Transform2D: {} } });
  for (let b = 0; b < 10; b++) {
    tree.push({ id: `a${a}b${b}`, name: `part ${a}.${b}`, parent: `a${a}` });
    for (let c = 0; c < 99; c++)
      tree.push({ id: `a${a}b${b}c${c}`, name: `leaf ${a}.${b}.${c}`, parent: `a${a}b${b}` });
  }
}

const scroll = (list) =>
  frames(120, () => {
    list.scrollTop += 900;
  });

async function editorTree() {
  const app = await openEditor();
  await open(app, tree);
  app.view.expandAll();
  const list = document.querySelector(".esp-tree");
  const row = (name) => list.querySelector(`[data-name="${name}"]`);
  await until(() => row("leaf 0.0.3") !== null);
  cases.scroll = () => scroll(list);
  cases.expand = async () => {
    app.view.collapseAll();
    await until(() => row("part 0.0") === null);
    app.view.expandAll();
    await until(() => row("leaf 0.0.3") !== null);
    return 1;
  };
  cases.search = async () => {
    app.view.searchFor("leaf 57.3.8");
    await until(() => row("leaf 57.3.8") !== null);
    app.view.searchFor("");
    await until(() => row("leaf 0.0.3") !== null);
    return 1;
  };
  cases.drag = async () => {
    list.scrollTop = 0;
    await until(() => row("leaf 0.0.3") !== null);
    const count = 30;
    const { left, top } = row("leaf 0.0.3").getBoundingClientRect();
    const send = (target, type, y) =>
      target.dispatchEvent(
        new PointerEvent(type, { clientX: left + 90, clientY: y, button: 0, buttons: 1, bubbles: true }),
      );
    send(row("leaf 0.0.3"), "pointerdown", top + 10);
    let y = top + 10;
    await frames(count, () => send(window, "pointermove", ++y));
    send(window, "pointerup", y);
    await until(() => app.document.history.undoLabels.length === 1);
    app.document.undo();
    return count;
  };
}

/** The elements of a row of the editor, and nothing that knows a tree. */
const Row = memo(function Row({ name, top }) {
  const icon = createElement(
    "svg",
    { width: 14, height: 14, viewBox: "0 0 16 16" },
    createElement("path", { d: "M3 8h10" }),
  );
  return createElement(
    "div",
    { style: { position: "absolute", top, height: 22, left: 0, right: 0, display: "flex" } },
    createElement("span", null, null),
    createElement("span", null, icon),
    createElement("span", { style: { flex: 1 } }, name),
  );
});

function Bare() {
  const list = useRef(null);
  const virtual = useVirtualizer({
    count: tree.length,
    getScrollElement: () => list.current,
    estimateSize: () => 22,
    overscan: 8,
  });
  const rows = virtual
    .getVirtualItems()
    .map(({ index, start }) => createElement(Row, { key: index, name: tree[index].name, top: start }));
  return createElement(
    "div",
    { ref: list, className: "list", style: { width: 280, height: 600, overflow: "auto" } },
    createElement("div", { style: { height: virtual.getTotalSize(), position: "relative" } }, rows),
  );
}

async function bareList() {
  createRoot(place).render(createElement(Bare));
  await until(() => document.querySelector(".list")?.textContent.includes("leaf 0.0.3"));
  cases.scroll = () => scroll(document.querySelector(".list"));
}

// The editor -------------------------------------------------------------------------------------------------------------

async function openEditor() {
  const app = await startEditor(place);
  app.view.open("none");
  await until(() => document.querySelector(".esp") !== null);
  return app;
}

/** As a user does: drops a file. */
async function open(app, entities) {
  const dataTransfer = new DataTransfer();
  const text = JSON.stringify({ version: 1, entities });
  dataTransfer.items.add(new File([text], "large.scene.json"));
  document
    .querySelector(".esp")
    .dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  await until(() => app.document.world.count === entities.length);
  await frames(10, () => {});
}

Object.assign(window, { cases, editorSprites, pixiSprites, editorTree, bareList });
