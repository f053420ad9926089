/** The picture of a game, as a PNG in base64. */
import type { Game } from "../game-api.ts";
import { Refusal } from "./definition.ts";

const prefix = "data:image/png;base64,";

export async function pictureOf(
  game: Game,
  own: (() => Promise<Uint8Array | string> | Uint8Array | string) | undefined,
): Promise<string> {
  if (own !== undefined) {
    const made = await own();
    return typeof made === "string" ? made.slice(made.startsWith(prefix) ? prefix.length : 0) : base64(made);
  }
  const { renderer } = game;
  const canvas = canvasIn(renderer?.view);
  if (renderer === undefined || canvas === undefined) {
    throw new Refusal(
      "the game has no canvas in a page. Give answerCalls() a screenshot function that draws one",
    );
  }
  // A WebGL canvas is empty once its frame was shown: it is drawn again and read in the same task.
  renderer.render(game.alpha);
  const address = canvas.toDataURL("image/png");
  if (!address.startsWith(prefix)) throw new Refusal("the canvas is too small or too large for a picture");
  return address.slice(prefix.length);
}

function canvasIn(view: HTMLElement | undefined): HTMLCanvasElement | undefined {
  if (view === undefined) return undefined;
  if (typeof (view as HTMLCanvasElement).toDataURL === "function") return view as HTMLCanvasElement;
  return view.querySelector("canvas") ?? undefined;
}

function base64(bytes: Uint8Array): string {
  let text = "";
  // In chunks, because the number of arguments of a call is limited.
  for (let at = 0; at < bytes.length; at += 8192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}
