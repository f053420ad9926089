/**
 * The flat keys of a node in the shared document: `Health.hp` is a field, `+Health` marks that the component exists, and
 * keys that begin with `@` are about the entity itself.
 */
export const NAME = "@name";
/** The id in the scene's file. */
export const ID = "@id";
/** The prefab that the node is an instance of. */
export const PREFAB = "@prefab";
/** For an entity of a prefab, its id there... */
export const PART = "@part";
/** ...and the node of the instance. */
export const OF = "@of";

/** What loading kept of it, as JSON: unknown components and keys, and unresolved references. */
export const KEPT = "@kept";

/** The value of a node under a key. Objects are JSON text, so that every peer has their keys in the same order. */
export type Plain = string | number | boolean | null;

export type NodeData = { [key: string]: Plain | undefined };

export const presenceKey = (component: string): string => `+${component}`;
export const fieldKey = (component: string, field: string): string => `${component}.${field}`;
