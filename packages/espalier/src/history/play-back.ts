/**
 * Undoes what a tape says, last change first. Doing so changes the world through its usual doors, so that whoever
 * records meanwhile gets a tape that leads forward again.
 */
import {
  type Archetype,
  addRaw,
  destroyAlone,
  type Entity,
  FIELDS,
  KINDS,
  type Reversible,
  ROWS,
  removeRaw,
  reviveRaw,
  type Store,
  type World,
  WROTE,
  writeRaw,
} from "../ecs/index.ts";
import { restoreColumns } from "./column-copy.ts";
import {
  ADDED,
  ADDED_TO_ALL,
  CHANGED,
  CHANGED_WITH,
  COPIED,
  DESTROYED,
  DESTROYED_ALL,
  DESTROYED_WHOLE,
  DESTROYED_WITH_VALUES,
  REMOVED,
  REMOVED_FROM_ALL,
  REVIVED,
  SPAWNED,
  SPAWNED_MANY,
  TAKEN_BACK,
  TAKEN_BACK_WITH_VALUES,
  VALUES,
} from "./journal.ts";
import type { Mark, Tape } from "./tape.ts";
import { TapeValues } from "./tape-values.ts";
import { undoAdded, undoDestroyed, undoRemoved, undoSpawned } from "./whole-records.ts";

/**
 * Undoes everything behind `mark` and takes it off the tape. When something refuses, it throws; what was undone until
 * then is off the tape.
 */
export function playBack(world: World, tape: Tape, mark: Mark, owners: readonly Reversible[]): void {
  const values = new TapeValues(world, tape);
  const { numbers, references } = tape;
  while (tape.count > mark.numbers) {
    const end = tape.count;
    const head = numbers[end - 1] as number;
    const kind = head % KINDS;
    const detail = (head - kind) / KINDS;
    // Off the tape first: what follows may throw, and then this much has been read.
    switch (kind) {
      case WROTE:
        tape.count = end - 3;
        write(world, numbers[end - 2] as Entity, detail, numbers[end - 3]);
        break;
      case CHANGED:
      case CHANGED_WITH: {
        tape.count = end - 4;
        const extra = kind === CHANGED_WITH ? references.pop() : undefined;
        const entity = numbers[end - 2] as Entity;
        const owner = owners[detail] as Reversible;
        owner.reverse(
          entity === 0 ? null : entity,
          numbers[end - 4] as number,
          numbers[end - 3] as number,
          extra,
        );
        break;
      }
      case SPAWNED:
        tape.count = end - 2;
        world.unspawn(numbers[end - 2] as Entity);
        break;
      case REVIVED:
        tape.count = end - 2;
        destroyAlone(world, numbers[end - 2] as Entity);
        break;
      case ADDED:
        tape.count = end - 3;
        removeRaw(
          world,
          numbers[end - 2] as Entity,
          world.stores[detail] as Store,
          numbers[end - 3] as number,
        );
        break;
      case REMOVED: {
        const store = world.stores[detail] as Store;
        tape.count = end - 3 - store.packed;
        values.from(tape.count, references.length - (store.fields.length - store.packed));
        addRaw(world, numbers[end - 2] as Entity, store, numbers[end - 3] as number, values);
        references.length -= store.fields.length - store.packed;
        break;
      }
      case DESTROYED:
      case TAKEN_BACK: {
        tape.count = end - 5;
        const archetype = world.graph.all[detail] as Archetype;
        values.from(end - 5 - (numbers[end - 5] as number), references.length - (numbers[end - 4] as number));
        const entity = numbers[end - 2] as Entity;
        reviveRaw(world, entity, archetype, numbers[end - 3] as number, values, kind === DESTROYED);
        break;
      }
      case DESTROYED_WITH_VALUES:
      case TAKEN_BACK_WITH_VALUES: {
        const archetype = world.graph.all[detail] as Archetype;
        const left = references.length - archetype.references;
        tape.count = end - 3 - archetype.packed;
        values.from(tape.count, left);
        const again = kind === DESTROYED_WITH_VALUES;
        reviveRaw(world, numbers[end - 2] as Entity, archetype, numbers[end - 3] as number, values, again);
        references.length = left;
        break;
      }
      case DESTROYED_ALL:
        reviveAll(world, tape, values, owners[detail] as Reversible);
        break;
      case COPIED:
        tape.count = end - (numbers[end - 2] as number);
        restoreColumns(world, world.stores[detail] as Store, tape, end);
        break;
      case SPAWNED_MANY:
        undoSpawned(world, tape);
        break;
      case DESTROYED_WHOLE:
        undoDestroyed(world, tape, world.graph.all[detail] as Archetype);
        break;
      case ADDED_TO_ALL:
        undoAdded(world, tape);
        break;
      case REMOVED_FROM_ALL:
        undoRemoved(world, tape);
        break;
      case VALUES:
        // Read by the DESTROYED that stood further up.
        tape.count = end - 3 - (numbers[end - 3] as number);
        references.length -= numbers[end - 2] as number;
        break;
      default:
        // WROTE_REFERENCE
        tape.count = end - 2;
        write(world, numbers[end - 2] as Entity, detail, references.pop());
    }
  }
}

function write(world: World, entity: Entity, detail: number, value: unknown): void {
  const field = detail % FIELDS;
  writeRaw(world, entity, world.stores[(detail - field) / FIELDS] as Store, field, value);
}

/** Brings back what went together, last one first: each is there before what stood below it. */
function reviveAll(world: World, tape: Tape, values: TapeValues, owner: Reversible): void {
  const { numbers, references, count: end } = tape;
  const count = numbers[end - 2] as number;
  const places = end - (numbers[end - 3] as number);
  // Off the tape first, as a whole.
  tape.count = places;
  let number = end - 3;
  let left = references.length;
  for (let k = count - 1; k >= 0; k--) {
    const place = places + k * 2;
    const code = numbers[place + count * 2] as number;
    const row = code & (ROWS - 1);
    const archetype = world.graph.all[(code - row) / ROWS] as Archetype;
    number -= archetype.packed;
    left -= archetype.references;
    values.from(number, left);
    const entity = numbers[place + count * 2 + 1] as Entity;
    reviveRaw(world, entity, archetype, row, values, true);
    owner.reverse(entity, numbers[place] as number, numbers[place + 1] as number, undefined);
  }
  references.length = left;
}
