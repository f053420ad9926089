/**
 * The parts of a running game, in the order in which they step and draw.
 */
import { describeValue } from "../../ecs/index.ts";
import { InvalidGameError } from "../errors.ts";
import type { Game, GamePart, PartMap } from "../game-api.ts";
import type { LoadingFiles, RunningPart } from "./part.ts";

export class PartList {
  private readonly parts: RunningPart[] = [];
  /** Parts with a running call: an observer of a part's writes may stop the game. */
  private readonly busy: RunningPart[] = [];
  private isDisposed = false;

  add(part: RunningPart): void {
    this.parts.push(part);
  }

  /**
   * Creates the given parts, in order.
   * @throws InvalidGameError for a part that cannot be called.
   */
  create(given: PartMap, game: Game): Record<string, RunningPart> {
    const made: Record<string, RunningPart> = {};
    for (const [name, part] of Object.entries(given)) {
      const running = part.create(game);
      if (typeof Object(running).dispose !== "function") {
        throw new InvalidGameError(
          `Cannot make a game with the part ${describeValue(name)}: create(game) returned ${describeValue(running)}. Return an object with dispose().`,
          { option: "parts", subject: name, value: running },
        );
      }
      made[name] = running;
      this.add(running);
    }
    return Object.freeze(made);
  }

  early(dt: number): void {
    this.run("early", dt);
  }

  step(dt: number): void {
    this.run("step", dt);
  }

  draw(alpha: number): void {
    this.run("draw", alpha);
  }

  /** Resolves when every part has what it needs. */
  async load(files: LoadingFiles): Promise<void> {
    await Promise.all(this.parts.map((part) => part.load?.(files)));
  }

  /** In reverse order: a part may use earlier ones. A part with a running call is disposed of after that call. */
  dispose(): void {
    if (this.isDisposed) return;
    this.isDisposed = true;
    for (const part of [...this.parts].reverse()) if (!this.busy.includes(part)) part.dispose();
  }

  private run(call: "early" | "step" | "draw", value: number): void {
    for (const part of this.parts) {
      if (this.isDisposed) return;
      if (part[call] === undefined) continue;
      this.busy.push(part);
      try {
        part[call](value);
      } finally {
        this.busy.pop();
        if (this.isDisposed && !this.busy.includes(part)) part.dispose();
      }
    }
  }
}

/**
 * @param call - The method that each part must have; a format needs only their components.
 * @throws InvalidGameError for a value that is not an object of parts.
 */
export function expectParts(
  given: { readonly [name: string]: Partial<GamePart> } | undefined,
  call: "create" | undefined,
): void {
  if (given === undefined) return;
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw new InvalidGameError(
      `Cannot make a game with the parts ${describeValue(given)}. Give an object of parts by name: parts: { sounds: soundPart() }.`,
      { option: "parts", value: given },
    );
  for (const [name, part] of Object.entries(given)) {
    const { create, components = [] } = Object(part) as Partial<GamePart>;
    const hasCall = call === undefined || typeof create === "function";
    if (typeof part === "object" && part !== null && hasCall && Array.isArray(components)) continue;
    throw new InvalidGameError(
      `Cannot make a game with the part ${describeValue(name)}: ${describeValue(part)} is not a part. Give an object with create(game), and components as an array if it has any.`,
      { option: "parts", subject: name, value: part },
    );
  }
}
