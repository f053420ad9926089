/**
 * Gestures on the element of a game. They go through the game's input like all other input, so that they are
 * processed at a step, recorded and replayed.
 */
import { Gesture } from "@use-gesture/vanilla";
import { expectArguments } from "../../ecs/index.ts";
import type { Game } from "../game-api.ts";
import type { GestureInput, GestureKind } from "../input/input-event.ts";

/** Gestures on an element, as input of a game. */
export interface GameGestures {
  /** Removes all listeners. */
  dispose(): void;
}

interface GestureState {
  readonly first: boolean;
  readonly last: boolean;
  readonly tap?: boolean;
}

const aGame = {
  expected: "a game. Pass what createGame() returned",
  fits: (value: unknown) => typeof (Object(value) as Partial<Game>).input?.feed === "function",
};
const anElement = {
  expected: "an element of a page",
  fits: (value: unknown) => {
    const { addEventListener, getBoundingClientRect } = Object(value) as Partial<HTMLElement>;
    return typeof addEventListener === "function" && typeof getBoundingClientRect === "function";
  },
};

/**
 * Recognises gestures on an element and passes them to the game: as the message `Gesture` to all listeners, and as the entity
 * events `Tap`, `Drag`, `Pinch` and `Rotate` to the entities under them.
 *
 * @throws InvalidArgumentError for what is not a game or not an element.
 */
export function createGestures(game: Game, element: HTMLElement): GameGestures {
  expectArguments("recognise gestures", ["the game", game, aGame], ["the element", element, anElement]);
  const feed = (
    kind: GestureKind,
    { first, last }: GestureState,
    [clientX, clientY]: readonly [number, number],
    values: Partial<GestureInput> = {},
  ) => {
    const { left, top } = element.getBoundingClientRect();
    const phase = first ? "start" : last ? "end" : "move";
    const x = clientX - left;
    const y = clientY - top;
    game.input.feed({ type: "gesture", kind, phase, x, y, dx: 0, dy: 0, scale: 1, angle: 0, ...values });
  };
  let last: readonly [number, number] = [0, 0];
  const recogniser = new Gesture(
    element,
    {
      onDrag: (state) => {
        const { first, tap, xy, initial } = state;
        // From where the finger went down: the recogniser skips the first pixels, in which it could still be a tap.
        const [x, y] = first ? initial : last;
        last = xy;
        if (tap) feed("tap", { first: false, last: true }, xy);
        else feed("drag", state, xy, { dx: xy[0] - x, dy: xy[1] - y });
      },
      onPinch: (state) => {
        const { origin, movement } = state;
        const [scale, degrees] = movement;
        feed("pinch", state, origin, { scale });
        feed("rotate", state, origin, { angle: (degrees * Math.PI) / 180 });
      },
    },
    {
      // Arrow keys are keys here, even while the element has the focus.
      drag: { filterTaps: true, pointer: { touch: false, keys: false } },
      // Both are sent, although the fingers may make only one of them.
      pinch: { preventDefault: true },
    },
  );
  return {
    dispose: () => recogniser.destroy(),
  };
}
