/**
 * Errors about drawing. They are thrown when something is set up; nothing throws inside a frame: what cannot be drawn
 * is replaced by a placeholder and reported once.
 */
import { type ErrorFacts, EspalierError, type FactsOf } from "../ecs/index.ts";

/** Base of the errors about drawing. */
export class RenderError extends EspalierError {
  override get name(): string {
    return "RenderError";
  }
}

/** An option or an argument that cannot work. */
export class InvalidRenderOptionError extends RenderError {
  override get name(): string {
    return "InvalidRenderOptionError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("render/invalid-option", message, facts);
  }
}

/** A renderer was used after `dispose()`. */
export class DisposedRendererError extends RenderError {
  override get name(): string {
    return "DisposedRendererError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("render/disposed", message, facts);
  }
}

/** The renderer could not be created: there is no screen, or none of the right kind. */
export class RendererUnavailableError extends RenderError {
  override get name(): string {
    return "RendererUnavailableError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("render/unavailable", message, facts);
  }
}

/** A texture could not be loaded. */
export class TextureLoadError extends RenderError {
  override get name(): string {
    return "TextureLoadError";
  }
  /** The requested name. */
  declare readonly texture: string;
  constructor(message: string, facts: FactsOf<TextureLoadError, "texture">) {
    super("render/texture-load", message, facts);
  }
}
