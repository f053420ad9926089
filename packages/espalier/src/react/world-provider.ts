/**
 * The component that gives hooks their world.
 */
import { createContext, createElement, type ReactElement, type ReactNode, useContext, useMemo } from "react";
import { expectArguments, type World } from "../ecs/index.ts";
import type { Hierarchy } from "../hierarchy/index.ts";
import type { UndoHistory } from "../history/index.ts";
import { createSignals, type Signals, type SignalsOptions } from "../signals/index.ts";
import type { Transforms2D, Transforms3D } from "../transform/index.ts";
import { MissingPartError, MissingProviderError } from "./errors.ts";

/** Props of `WorldProvider`. */
export interface WorldProviderProps {
  /** The world that hooks below read. */
  readonly world: World;
  /** For `useChildren` and `useParent`. */
  readonly tree?: Hierarchy | undefined;
  /** For `useWorldTransform`. */
  readonly space?: Transforms2D | Transforms3D | undefined;
  /** For `useHistory`. */
  readonly history?: UndoHistory | undefined;
  /** When listeners are notified; see `createSignals`. Must stay the same object. */
  readonly signals?: SignalsOptions | undefined;
  /** The content. */
  readonly children?: ReactNode;
}

/** What a `WorldProvider` provides. */
export interface WorldContext {
  /** The world of the nearest provider. */
  readonly world: World;
  /** The hierarchy it was given, if any. */
  readonly tree: Hierarchy | undefined;
  /** The space it was given, if any. */
  readonly space: Transforms2D | Transforms3D | undefined;
  /** The history it was given, if any. */
  readonly history: UndoHistory | undefined;
  /** What the hooks subscribe to. */
  readonly signals: Signals;
}

const Context = /* @__PURE__ */ createContext<WorldContext | undefined>(undefined);

const defaults: SignalsOptions = {};

/**
 * Provides a world to the components inside. Providers may be nested; the nearest one counts. Unmounting does not dispose the world.
 */
export function WorldProvider(props: WorldProviderProps): ReactElement {
  expectArguments("provide a world", ["the world", props.world, "world"]);
  const { world, tree, space, history, signals: options = defaults, children } = props;
  const signals = useMemo(() => createSignals(world, options), [world, options]);
  const value = useMemo(
    () => ({ world, tree, space, history, signals }),
    [world, tree, space, history, signals],
  );
  return createElement(Context.Provider, { value }, children);
}

/**
 * The nearest provider's world, tree, space, history and signals.
 * @throws MissingProviderError outside of a `WorldProvider`.
 */
export function useWorldContext(): WorldContext {
  const context = useContext(Context);
  if (context !== undefined) return context;
  throw new MissingProviderError(
    "Cannot find a world: this component is outside a <WorldProvider>. Put one around it, with the world as `world`.",
  );
}

/** The nearest provider's world. */
export function useWorld(): World {
  return useWorldContext().world;
}

/** A part that a hook needs: its argument, or that of the provider. */
export function requirePart<Part>(hook: string, name: string, part: Part | undefined): Part {
  if (part !== undefined) return part;
  throw new MissingPartError(
    `Cannot use ${hook}: the <WorldProvider> has no ${name}. Give it one as \`${name}\`, or pass it to the hook.`,
    { option: name, subject: hook },
  );
}
