/**
 * The flat keys of a node in the shared document: `Health.hp` is a field, `+Health` says that the component is there, and
 * keys that begin with `@` are about the entity itself.
 */
export const NAME = "@name";
/** The id in the scene's file. */
export const ID = "@id";
/** The prefab that the node is an instance of. */
export const PREFAB = "@prefab";
/** Which entity of a prefab it is, by its id there... */
export const PART = "@part";
/** ...and the node of the instance. */
export const OF = "@of";

/** What loading kept of it, as JSON: unknown components and keys, and references that lead nowhere. */
export const KEPT = "@kept";

/** What a node may hold under a key. Objects are JSON text, so that every peer has their keys in the same order. */
export type Plain = string | number | boolean | null;

export type NodeData = { [key: string]: Plain | undefined };

export const presenceKey = (component: string): string => `+${component}`;
export const fieldKey = (component: string, field: string): string => `${component}.${field}`;
