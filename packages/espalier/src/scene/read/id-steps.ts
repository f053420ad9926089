/**
 * Ids step by step. The id of an entity inside instances (`tank/turret/gun`) is as long as its path, so that all ids of a chain
 * of prefabs together are as long as the square of its length: code that handles all of them walks from instance to instance
 * and never builds whole ids.
 */

/** Lookup by id, step by step. */
export interface Steps<Found> {
  /** The own entity with that id. The root of a prefab has none: from outside it has the id of the instance. */
  at(id: string): Found | undefined;
  /** The inside of the instance with that id. */
  into(id: string): Steps<Found> | undefined;
}

/** The indices of nodes by id. */
export interface IdSteps extends Steps<number> {
  into(id: string): IdSteps | undefined;
  forEach(visit: (id: string, index: number) => void): void;
  instances(): Iterable<readonly [string, IdSteps]>;
}

/** Looks up a whole id. */
export function findId<Found>(from: Steps<Found>, id: string): Found | undefined {
  let steps: Steps<Found> | undefined = from;
  let start = 0;
  for (let cut = id.indexOf("/"); cut >= 0 && steps !== undefined; cut = id.indexOf("/", start)) {
    steps = steps.into(id.slice(start, cut));
    start = cut + 1;
  }
  return steps?.at(start === 0 ? id : id.slice(start));
}

/** Visits all nodes in `from`, with the part of `to` that has the ids of their instances; skips the inside of instances missing in `to`. */
export function walkBeside<To extends { into(id: string): To | undefined }>(
  from: IdSteps,
  to: To,
  visit: (to: To, id: string, index: number) => void,
): void {
  const pairs: (readonly [IdSteps, To])[] = [[from, to]];
  for (const [steps, beside] of pairs) {
    steps.forEach((id, index) => {
      visit(beside, id, index);
    });
    for (const [id, inner] of steps.instances()) {
      const other = beside.into(id);
      if (other !== undefined) pairs.push([inner, other]);
    }
  }
}

/** For each of `count` nodes the index of the node with the same id in `to`; -1 if there is none. */
export function matchIds(from: IdSteps, to: IdSteps, count: number): Int32Array {
  const found = new Int32Array(count).fill(-1);
  walkBeside(from, to, (beside, id, index) => {
    found[index] = beside.at(id) ?? -1;
  });
  return found;
}

/**
 * The ids of copies of a prefab's nodes.
 *
 * @param copyOf - Returns the index of the copy of a node; `undefined` if there is none, as for the root.
 */
export function copiedSteps(steps: IdSteps, copyOf: (index: number) => number | undefined): IdSteps {
  return {
    at: (id) => {
      const index = steps.at(id);
      return index === undefined ? undefined : copyOf(index);
    },
    into: (id) => {
      const inner = steps.into(id);
      return inner && copiedSteps(inner, copyOf);
    },
    forEach: (visit) => {
      steps.forEach((id, index) => {
        const copy = copyOf(index);
        if (copy !== undefined) visit(id, copy);
      });
    },
    instances: () => Array.from(steps.instances(), ([id, inner]) => [id, copiedSteps(inner, copyOf)]),
  };
}
