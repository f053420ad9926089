/**
 * The viewport: draws the document on canvases. What the pointer does there is in `viewport-pointer.ts`. Knows no React.
 */
import type { WorldRenderer } from "espalier/render";
import { Pace } from "../devtool/pace.ts";
import type { EditorDocument } from "../document/document.ts";
import { grown, subtreeBounds } from "../document/space/bounds.ts";
import { pickable } from "../document/space/hit-test.ts";
import { movable } from "../document/space/movable.ts";
import type { App } from "../shell/app.ts";
import { drawOthers } from "./draw-others.ts";
import {
  drawGizmo,
  drawGrid,
  drawLinks,
  drawMarquee,
  drawOutlines,
  drawSnapLines,
  type OverlayColors,
} from "./draw-overlay.ts";
import { screenAxes } from "./gizmo.ts";
import { openSceneCanvas } from "./open-scene-canvas.ts";
import { overlayColors } from "./overlay-colors.ts";
import type { SceneCanvas } from "./scene-canvas.ts";
import { textWidths } from "./text-widths.ts";
import { ViewportCamera } from "./viewport-camera.ts";
import { ViewportPointer } from "./viewport-pointer.ts";

export class ViewportController {
  readonly camera = new ViewportCamera();
  private readonly app: App;
  private readonly pointer: ViewportPointer;
  private readonly canvases: {
    readonly grid: HTMLCanvasElement;
    readonly scene: HTMLCanvasElement;
    readonly overlay: HTMLCanvasElement;
  };
  /** `undefined` until it is loaded: the rest does not wait for it. */
  private scene: SceneCanvas | undefined;
  private renderer:
    | { readonly document: EditorDocument; readonly renderer: WorldRenderer<unknown>; readonly yUp: boolean }
    | undefined;
  private drawn = "";
  private drawnDocument: EditorDocument | undefined;
  private measured: EditorDocument | undefined;
  private readonly textWidth = textWidths();
  private isClosed = false;
  private gridDrawn = "";
  private isOverlayEmpty = true;
  private fitDone = 0;
  private frame = 0;
  /** A live world changes on its own: it is drawn as often as its budget allows. */
  private readonly pace = new Pace(33, 0.05);
  private readonly colors: () => OverlayColors;
  /** How long the last frame took to draw, in milliseconds. */
  frameTime = 0;
  private readonly ends: (() => void)[] = [];

  constructor(
    app: App,
    canvases: {
      readonly grid: HTMLCanvasElement;
      readonly scene: HTMLCanvasElement;
      readonly overlay: HTMLCanvasElement;
    },
  ) {
    this.app = app;
    this.canvases = canvases;
    const { overlay } = canvases;
    this.colors = overlayColors(overlay);
    this.pointer = new ViewportPointer(app, this.camera, overlay, () => this.redraw());
    this.ends.push(() => this.pointer.close());
    const observer = new ResizeObserver(() => this.resize());
    observer.observe(overlay);
    this.ends.push(() => observer.disconnect());
    this.resize();
    void this.openScene();
    this.ends.push(app.textures.onChange(() => this.redraw()));
    const tick = (now: number) => {
      const { isLive, live } = this.app;
      if (isLive && live.pausable?.isPaused !== true && this.pace.isDue(now)) {
        this.redraw();
        this.pace.run(now, () => this.draw());
      } else this.draw();
      this.frame = requestAnimationFrame(tick);
    };
    this.frame = requestAnimationFrame(tick);
  }

  close(): void {
    cancelAnimationFrame(this.frame);
    for (const end of this.ends) end();
    this.isClosed = true;
    this.renderer?.renderer.dispose();
    this.scene?.dispose();
  }

  /** Whether the scene can be drawn: the renderer may have to be loaded. */
  get isReady(): boolean {
    return this.scene !== undefined;
  }

  private async openScene(): Promise<void> {
    const scene = await openSceneCanvas(this.canvases.scene, this.app.textures, this.app.loadPixi);
    if (this.isClosed) scene.dispose();
    else this.scene = scene;
    this.redraw();
  }

  /** Draws in the next frame, whether or not the document changed. */
  private redraw(): void {
    this.drawn = "";
  }

  private resize(): void {
    const { clientWidth, clientHeight } = this.canvases.overlay;
    const ratio = devicePixelRatio || 1;
    for (const canvas of [this.canvases.grid, this.canvases.overlay]) {
      canvas.width = Math.round(clientWidth * ratio);
      canvas.height = Math.round(clientHeight * ratio);
    }
    this.camera.resize(clientWidth, clientHeight);
    this.renderer?.renderer.resize(this.camera.screen.width, this.camera.screen.height);
    this.redraw();
  }

  // Drawing ------------------------------------------------------------------------------------------------------------

  private draw(): void {
    const { app, camera } = this;
    const { document } = app;
    const { settings } = app.view;
    camera.yUp = settings.yUp;
    if (this.measured !== document) {
      // Before anything is fitted: the sizes of texts and images depend on them.
      this.measured = document;
      document.textWidth = this.textWidth;
      document.textureSize = (name) => app.textures.find(name) ?? { width: 32, height: 32 };
    }
    if (this.fitDone !== app.view.fitWish.count && camera.screen.width > 1) {
      this.fitDone = app.view.fitWish.count;
      this.fit(app.view.fitWish.what);
    }
    const { hover, gesture } = this.pointer;
    const key = `${document.revision} ${app.signal.revision} ${camera.revision} ${hover ?? ""} ${gesture?.kind ?? ""} ${gesture?.kind === "marquee" ? `${gesture.to.x} ${gesture.to.y}` : ""}`;
    if (key === this.drawn && this.drawnDocument === document) return;
    this.drawn = key;
    this.drawnDocument = document;
    const began = performance.now();
    if (this.scene !== undefined) this.rendererFor(document, this.scene).render(1);
    this.drawUnder();
    this.drawOver();
    this.frameTime = performance.now() - began;
  }

  private rendererFor(document: EditorDocument, scene: SceneCanvas): WorldRenderer<unknown> {
    const { yUp } = this.app.view.settings;
    if (this.renderer?.document === document && this.renderer.yUp === yUp) return this.renderer.renderer;
    this.renderer?.renderer.dispose();
    const { width, height } = this.camera.screen;
    const renderer = scene.draw(document.space, {
      width,
      height,
      yAxis: yUp ? "up" : "down",
      look: () => this.camera.view,
      onProblem: () => {},
    });
    renderer.resize(width, height);
    this.renderer = { document, renderer, yUp };
    return renderer;
  }

  private context(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
    const context = canvas.getContext("2d") as CanvasRenderingContext2D;
    const ratio = devicePixelRatio || 1;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    return context;
  }

  /** The grid is not redrawn while only the scene moves. */
  private drawUnder(): void {
    const { grid, snap } = this.app.view.settings;
    const colors = this.colors();
    const key = `${this.camera.revision} ${this.camera.yUp} ${grid} ${snap.grid} ${colors.grid}`;
    if (key === this.gridDrawn) return;
    this.gridDrawn = key;
    const context = this.context(this.canvases.grid);
    if (grid) drawGrid(context, this.camera.view, snap.grid, colors);
  }

  private drawOver(): void {
    const { app, camera } = this;
    const { document } = app;
    const { settings } = app.view;
    const { gesture, hover, snapLines } = this.pointer;
    const others = app.sharing?.others ?? [];
    // Most of the time there is nothing to draw or to clear here.
    const isEmpty =
      document.selection.size === 0 &&
      others.length === 0 &&
      app.edits.shown === undefined &&
      !settings.links &&
      snapLines.length === 0 &&
      gesture?.kind !== "marquee";
    if (isEmpty && this.isOverlayEmpty) return;
    this.isOverlayEmpty = isEmpty;
    const context = this.context(this.canvases.overlay);
    if (isEmpty) return;
    const colors = this.colors();
    const { view } = camera;
    if (settings.links) {
      drawLinks(context, document, pickable(document), view.matrix, colors.link);
    }
    drawOutlines(context, document, app.edits.marked(), view.matrix, colors.warn, 2);
    const entities = document.selection.entities.filter((entity) => document.world.isAlive(entity));
    drawOutlines(context, document, entities.slice(0, 2000), view.matrix, colors.accent, 1.5);
    const frame = this.pointer.frameOfSelection();
    if (frame !== undefined && gesture?.kind !== "marquee") {
      const active = gesture?.kind === "transform" ? gesture.handle : hover;
      drawGizmo(context, settings.tool, screenAxes(frame, view.matrix), active, colors);
    }
    drawSnapLines(context, snapLines, view, colors.warn);
    drawOthers(context, document, others, view.matrix);
    if (gesture?.kind === "marquee") drawMarquee(context, gesture.from, gesture.to, colors.accent);
  }

  private fit(what: "selection" | "all"): void {
    const { document } = this.app;
    const entities = what === "selection" ? document.selection.entities : [...document.tree.roots()];
    const movers = movable(document, entities);
    const bounds = subtreeBounds(document, movers);
    if (bounds === undefined) return;
    this.camera.fit(grown(bounds, 4));
    // The zoom is shown elsewhere.
    this.app.changed();
  }
}
