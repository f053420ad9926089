/**
 * From an entity as a call takes it, a handle or an object, to its handle. For a handle that is one comparison of types; only
 * objects are looked into.
 */
import { shortText } from "../checks/short-text.ts";
import { ForeignEntityError } from "../errors.ts";
import { type Entity, type EntityHolder, type EntityLike, formatEntity, heldId } from "./entity.ts";

/**
 * The key under which a world keeps its state, for the rooms of this package. The same in every copy of the library, so that a
 * tool with a copy of its own can look at the world of a program.
 */
export const STATE: unique symbol = Symbol.for("espalier.state");

/** The state of a world, as far as it matters here: its table of entities says which world it is. */
interface InWorld {
  readonly table: object;
}

/**
 * The handle of an entity that may be given as an object. What is neither is returned as it is, for the call to refuse.
 * @throws ForeignEntityError for an object of another world.
 */
export function handleIn(world: InWorld, entity: EntityLike): Entity;
export function handleIn(world: InWorld, entity: EntityLike | null): Entity | null;
export function handleIn(world: InWorld, entity: EntityLike | null | undefined): Entity | null | undefined;
export function handleIn(world: InWorld, entity: EntityLike | null | undefined): Entity | null | undefined {
  return typeof entity === "number" ? entity : handleOfObject(world.table, entity);
}

/** The same for a list: the list itself where it holds no objects. */
export function handlesIn(world: InWorld, entities: readonly EntityLike[]): readonly Entity[] {
  if (!Array.isArray(entities)) return entities as readonly Entity[];
  for (const entity of entities) {
    if (typeof entity !== "number") return entities.map((each) => handleIn(world, each));
  }
  return entities as readonly Entity[];
}

/** Whether an object belongs to the world with that table, or does not say to which. */
export function isOf(table: object, object: unknown): boolean {
  const { world } = object as EntityHolder;
  const own = (Object(world) as { readonly [STATE]?: InWorld })[STATE]?.table;
  return own === undefined || own === table;
}

/** `handleIn` for what is not a handle. `table` is the one of the world. */
export function handleOfObject<Other>(table: object, object: EntityHolder | Other): Entity | Other {
  const id = heldId(object);
  if (id === undefined) return object as Other;
  if (isOf(table, object)) return id;
  throw new ForeignEntityError(
    `Cannot use ${nameOf(object, id)} here: it belongs to another world. Entities of different worlds cannot be mixed.`,
    { value: object, entities: [id] },
  );
}

/** Entity objects have a label as their text; of other objects the text says nothing, and may be refused. */
function nameOf(object: unknown, id: Entity): string {
  try {
    const text = String(object);
    return text.startsWith("[object ") ? formatEntity(id) : shortText(text);
  } catch {
    return formatEntity(id);
  }
}
