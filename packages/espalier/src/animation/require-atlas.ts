/**
 * Validates atlases, which come from `readAtlas` or are built by programs.
 */
import { describeValue } from "../ecs/index.ts";
import { type Atlas, type ClipDirection, clipDirections, type SpriteClip } from "./atlas.ts";
import { InvalidAtlasError, InvalidClipError } from "./errors.ts";

/** @throws InvalidAtlasError, InvalidClipError */
export function requireAtlas(doing: string, atlas: Atlas): void {
  const { frames, clips } = Object(atlas) as Partial<Atlas>;
  if (typeof frames !== "object" || frames === null || typeof clips !== "object" || clips === null) {
    throw new InvalidAtlasError(
      `Cannot ${doing}: ${describeValue(atlas)} is not an atlas. Pass what readAtlas(json) returned.`,
      {
        value: atlas,
      },
    );
  }
  for (const [name, clip] of Object.entries(clips)) {
    const why = wrongClip(clip, frames);
    if (why !== undefined)
      throw new InvalidClipError(`Cannot ${doing}: the clip ${describeValue(name)} ${why}.`, {
        subject: name,
        value: clip,
      });
  }
}

function wrongClip(clip: SpriteClip, known: Atlas["frames"]): string | undefined {
  const { frames, seconds, direction, repeat, events } = Object(clip) as Partial<SpriteClip>;
  if (!Array.isArray(frames) || frames.length === 0) return "has no frames";
  const missing = frames.find((frame) => !Object.hasOwn(known, frame));
  if (missing !== undefined) return `shows the frame ${describeValue(missing)}, which does not exist`;
  const isTimed =
    Array.isArray(seconds) &&
    seconds.length === frames.length &&
    seconds.every((each) => Number.isFinite(each) && each > 0);
  if (!isTimed) return "needs the seconds of each frame, above 0";
  if (!clipDirections.includes(direction as ClipDirection))
    return `has the direction ${describeValue(direction)}; give one of ${clipDirections.join(", ")}`;
  if (typeof events !== "object" || events === null) return "needs events, {} for none";
  if (!(Number.isInteger(repeat) && (repeat as number) >= 0)) return "needs repeat as an integer, 0 for ever";
  return undefined;
}
