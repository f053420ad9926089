/**
 * Ids step by step. That of an entity inside instances (`tank/turret/gun`) is as long as the way to it, so that all ids of a chain
 * of prefabs together are as long as the square of its length: code that handles all of them walks from instance to instance
 * and never has a whole one.
 */

/** What ids lead to. */
export interface Steps<Found> {
  /** What the own entity of that id is. The root of a prefab is none: from outside it goes by the id of the instance. */
  at(id: string): Found | undefined;
  /** The inside of the instance of that id. */
  into(id: string): Steps<Found> | undefined;
}

/** The indices of nodes by id. */
export interface IdSteps extends Steps<number> {
  into(id: string): IdSteps | undefined;
  forEach(visit: (id: string, index: number) => void): void;
  instances(): Iterable<readonly [string, IdSteps]>;
}

/** What a whole id leads to. */
export function findId<Found>(from: Steps<Found>, id: string): Found | undefined {
  let steps: Steps<Found> | undefined = from;
  let start = 0;
  for (let cut = id.indexOf("/"); cut >= 0 && steps !== undefined; cut = id.indexOf("/", start)) {
    steps = steps.into(id.slice(start, cut));
    start = cut + 1;
  }
  return steps?.at(start === 0 ? id : id.slice(start));
}

/** Visits all nodes that `from` leads to, beside what has the ids of their instances in `to`; nothing inside those it has not. */
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

/** For each of `count` nodes the index of the one that has the same id in `to`; -1 where there is none. */
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
 * @param copyOf - The index of the copy of a node; nothing where there is none, as of the root.
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
