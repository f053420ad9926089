/**
 * Values of the world in React components.
 *
 * @packageDocumentation
 */

export { MissingPartError, MissingProviderError } from "./errors.ts";
export {
  useChildren,
  useComponent,
  useHas,
  useHistory,
  useInherited,
  useLiveList,
  useParent,
  useQuery,
  useQueryFirst,
  useResource,
  useWorldTransform,
} from "./hooks.ts";
export { useSignal } from "./use-signal.ts";
export {
  useWorld,
  useWorldContext,
  type WorldContext,
  WorldProvider,
  type WorldProviderProps,
} from "./world-provider.ts";
