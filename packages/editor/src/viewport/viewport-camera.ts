/**
 * The camera of the viewport: a position and a zoom of its own, which are not part of the scene.
 */
import { type CameraView, cameraView, frameBounds, type Size, zoomAround } from "espalier/render";
import type { Point } from "espalier/transform";
import type { Rect } from "../document/space/rect.ts";

const [FARTHEST, NEAREST] = [0.01, 100];

export class ViewportCamera {
  x = 0;
  y = 0;
  zoom = 1;
  screen: Size = { width: 1, height: 1 };
  yUp = false;
  /** Incremented with every change. */
  revision = 0;

  get view(): CameraView {
    const { x, y, zoom } = this;
    return cameraView({ zoom }, { x, y, rotation: 0 }, this.screen, this.yUp ? "up" : "down");
  }

  /** From a point of the canvas to the world. */
  toWorld(x: number, y: number): Point {
    const { inverse } = this.view;
    return { x: inverse.a * x + inverse.c * y + inverse.x, y: inverse.b * x + inverse.d * y + inverse.y };
  }

  resize(width: number, height: number): void {
    this.screen = { width: Math.max(1, width), height: Math.max(1, height) };
    this.revision++;
  }

  /** Moves the view with the pointer, in pixels. */
  pan(dx: number, dy: number): void {
    this.x -= dx / this.zoom;
    this.y -= (this.yUp ? -dy : dy) / this.zoom;
    this.revision++;
  }

  /** Zooms so that the world under a point of the screen stays there. */
  zoomAt(x: number, y: number, factor: number): void {
    const next = Math.min(NEAREST, Math.max(FARTHEST, this.zoom * factor));
    const to = zoomAround(this.view, { x: this.x, y: this.y, rotation: 0 }, x, y, next / this.zoom);
    this.x = to.x;
    this.y = to.y;
    this.zoom = next;
    this.revision++;
  }

  /** Shows all of a rectangle of the world. Points are not shown larger than life. */
  fit({ left, top, right, bottom }: Rect, margin = 60): void {
    const bounds = { minX: left, minY: top, maxX: right, maxY: bottom };
    const { x, y, zoom } = frameBounds(bounds, this.screen, margin);
    this.x = x;
    this.y = y;
    this.zoom = Math.min(NEAREST, Math.max(FARTHEST, Math.min(zoom, 4)));
    this.revision++;
  }
}
