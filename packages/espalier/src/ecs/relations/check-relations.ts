/**
 * Whether indexes say what the columns hold: found by looking at every entity.
 */
import type { Finding } from "../checks/findings.ts";
import { formatEntity, INDEX_MASK } from "../entities/entity.ts";
import type { Relation } from "./relation.ts";

export function* checkRelations(relations: readonly Relation[]): IterableIterator<Finding> {
  for (const relation of relations) yield* checkRelation(relation);
}

function* checkRelation(relation: Relation): IterableIterator<Finding> {
  const { s, store, name } = relation;
  const wanted = new Map<number, number[]>();
  for (const archetype of s.graph.all) {
    if (archetype.has[store.id] !== 1) continue;
    for (const owner of archetype.ids.subarray(0, archetype.count)) {
      for (const target of relation.targetsAt(owner)) {
        if (!s.table.isAlive(target)) continue;
        const index = target & INDEX_MASK;
        const owners = wanted.get(index);
        if (owners === undefined) wanted.set(index, [owner]);
        else owners.push(owner);
      }
    }
  }
  for (let target = 1; target <= s.table.used; target++) {
    const expected = (wanted.get(target) ?? []).sort((a, b) => a - b).join();
    const found = [...relation.ownersAt(target)].join();
    if (expected === found) continue;
    const entity = s.handleAt(target);
    yield {
      code: "ecs/inconsistent",
      entity,
      message: `${name}: the index of ${formatEntity(entity)} names [${found}], the columns say [${expected}]. Call world.touch() after raw writes to a field that is indexed.`,
    };
  }
}
