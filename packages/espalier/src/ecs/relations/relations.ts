/**
 * All indexed fields of a world, and what happens when a target is destroyed.
 */
import { attached } from "../attached.ts";
import { provideCheck } from "../checks/findings.ts";
import type { Store } from "../components/store.ts";
import { type Entity, formatEntity, INDEX_MASK } from "../entities/entity.ts";
import { ReferencedEntityError } from "../errors.ts";
import type { IndexList } from "../index-list.ts";
import { runRemoving } from "../listeners/notify.ts";
import { removeOne } from "../mutate/change-components.ts";
import { destroy } from "../mutate/destroy.ts";
import { computedIn } from "../queries/computed.ts";
import { extend } from "../rooms.ts";
import type { WorldState } from "../state.ts";
import { checkRelations } from "./check-relations.ts";
import { refuseDeadTargets } from "./refuse-dead-targets.ts";
import { MultiRelation, type Relation, SingleRelation } from "./relation.ts";

export class Relations {
  readonly all: Relation[] = [];
  private readonly s: WorldState;
  private cascades = false;

  constructor(s: WorldState) {
    this.s = s;
    extend(s, {
      life: {
        created: (ids, from, to) => this.came(ids, from, to),
        leaving: (ids, from, to) => this.left(ids, from, to),
      },
      destruction: {
        spares: () => this.all.some(({ lists }) => lists.size !== 0),
        going: () => {},
        permit: (doomed) => this.permit(doomed),
        hasDestroying: () => this.all.some(hasRemovingObservers),
        destroying: (entity) => this.runRemovingOf(entity),
        confirm: () => {},
        unbind: (dying, alone) => (alone ? [] : this.applyPolicies(dying)),
      },
    });
    provideCheck(s, { name: "relations", check: () => checkRelations(this.all) });
    computedIn(s).add({ name: "referredBy", compute: (entity) => this.referrersBy(entity) });
  }

  /** A field of a component that the world has just met. */
  add(store: Store, field: number): void {
    const isMany = store.types[field].valueKind === "entities";
    const relation = new (isMany ? MultiRelation : SingleRelation)(this.s, store, field);
    if (!this.all.some((other) => other.store === store)) refuseDeadTargets(this.s, store);
    this.all.push(relation);
    store.relations ??= [];
    store.relations[field] = relation;
    store.followers.push((owner) => relation.follow(owner));
    store.updateGuard();
    if (relation.policy === "destroyOwner" && !this.cascades) this.cascade();
  }

  // Targets that go ------------------------------------------------------------------------------------------------------

  /** From now on entities may take further entities along. A hook of its own: it makes every destroy ask all rooms for each entity. */
  private cascade(): void {
    this.cascades = true;
    extend(this.s, {
      cascade: {
        dependents: (index, doomed) => this.pushOwners(index, doomed),
        collect: (index, doomed, met) => this.collect(index, doomed, met),
      },
    });
  }

  private pushOwners(index: number, doomed: number[]): void {
    if (this.isDescribed) return;
    for (const relation of this.all) {
      if (relation.policy !== "destroyOwner" || relation.lists.countAt(index) === 0) continue;
      const owners = relation.ownersAt(index);
      for (let k = owners.length - 1; k >= 0; k--) doomed.push(owners[k]);
    }
  }

  /** Circles end: an entity that was met is not followed again. */
  private collect(first: number, list: IndexList, met: Uint8Array | undefined): void {
    const own = new Set<number>();
    const isNew = (index: number) => (met === undefined ? !own.has(index) : met[index] === 0);
    const stack = [first];
    while (stack.length > 0) {
      const index = stack.pop() as number;
      // A negative entry marks the way back: everything that goes before it is in the list by now.
      if (index < 0) list.push(-index);
      else if (isNew(index)) {
        if (met === undefined) own.add(index);
        else met[index] = 1;
        stack.push(-index);
        this.pushOwners(index, stack);
      }
    }
  }

  /** Whether what happens now was described as a whole, by a snapshot or a patch: policies would go against it. */
  private get isDescribed(): boolean {
    return this.s.isReplaying || this.s.isOverruled;
  }

  private permit(doomed: IndexList): void {
    if (this.isDescribed) return;
    for (const relation of this.all) {
      if (relation.policy !== "refuse" || relation.lists.size === 0) continue;
      this.forEachSurvivor(relation, doomed, (owner, target) => {
        const entities = [this.s.handleAt(target), this.s.handleAt(owner)];
        const [gone, held] = entities.map(formatEntity);
        throw new ReferencedEntityError(
          `Cannot destroy ${gone}: ${held} refers to it in ${relation.name}, which refuses that. Set ${relation.name} of ${held} to something else first, or destroy both in one call.`,
          {
            entities,
            component: relation.store.component.name,
            field: relation.store.names[relation.number] as string,
          },
        );
      });
    }
  }

  /** Observers of components that go with a target run while everything is still there. */
  private runRemovingOf(entity: Entity): void {
    if (this.isDescribed) return;
    const { doomed } = this.s;
    const goes = (target: Entity) => doomed.has(target & INDEX_MASK);
    for (const relation of this.all) {
      if (!hasRemovingObservers(relation)) continue;
      for (const owner of relation.ownersAt(entity & INDEX_MASK)) {
        // Those of an owner that goes too run when its turn comes; of several targets that go, the first runs them.
        const first = relation.targetsAt(owner).find(goes) ?? entity;
        if (first === entity && !doomed.has(owner))
          runRemoving(this.s, this.s.handleAt(owner), relation.store);
      }
    }
  }

  /** Does to those that live on what their fields say. Gives what is to be done when the targets are gone. */
  private applyPolicies(dying: IndexList): (() => void)[] {
    const { s } = this;
    const finishes: (() => void)[] = [];
    const isGone = goneIn(dying);
    for (const relation of this.all) {
      if (relation.lists.size === 0) continue;
      // Only the references to what is gone go.
      const policy = this.isDescribed ? "null" : relation.policy;
      this.forEachSurvivor(relation, dying, (owner) => {
        if (policy === "removeComponent") {
          removeOne(s, s.handleAt(owner), relation.store);
          return;
        }
        relation.drop(owner, (target) => isGone(target & INDEX_MASK));
        if (policy !== "destroyOwner") return;
        // An observer that ran before the edit made it refer to what goes.
        const entity = s.handleAt(owner);
        finishes.push(() => void destroy(s, entity));
      });
    }
    return finishes;
  }

  /** Calls `fn` for each entity that refers to one of a list and is not in it. */
  private forEachSurvivor(
    relation: Relation,
    dying: IndexList,
    fn: (owner: number, target: number) => void,
  ): void {
    let isGone: ((index: number) => boolean) | undefined;
    for (let k = 0; k < dying.count; k++) {
      const target = dying.ids[k];
      if (relation.lists.countAt(target) === 0) continue;
      isGone ??= goneIn(dying);
      const owners = relation.ownersAt(target);
      for (let o = 0; o < owners.length; o++) if (!isGone(owners[o])) fn(owners[o], target);
    }
  }

  private left(ids: Int32Array, from: number, to: number): void {
    for (const relation of this.all) {
      if (relation.lists.size === 0) continue;
      // Owners first: what they refer to may go too, and has then no referrers left.
      for (let k = from; k < to; k++) relation.ownerLeft(ids[k]);
      for (let k = from; k < to; k++) relation.lists.targetLeft(ids[k]);
    }
  }

  private came(ids: Int32Array, from: number, to: number): void {
    for (let r = 0; r < this.all.length; r++) {
      const { lists } = this.all[r] as Relation;
      if (!lists.hasStrays) continue;
      for (let k = from; k < to; k++) lists.targetCame(ids[k]);
    }
  }

  /** What tools show of an entity: by field, which entities refer to it. */
  private referrersBy(entity: Entity): { readonly [field: string]: readonly Entity[] } | undefined {
    const found = this.all
      .filter(({ lists }) => lists.countAt(entity & INDEX_MASK) !== 0)
      .map((relation) => [
        relation.name,
        Array.from(relation.ownersAt(entity & INDEX_MASK), (owner) => this.s.handleAt(owner)),
      ]);
    return found.length === 0 ? undefined : Object.fromEntries(found);
  }
}

/** The indexed fields of a world. */
export function relationsOf(s: WorldState): Relations {
  return attached(s, "espalier.relations", () => new Relations(s));
}

function hasRemovingObservers({ policy, store, lists }: Relation): boolean {
  return policy === "removeComponent" && lists.size !== 0 && (store.observers?.onRemoving.length ?? 0) !== 0;
}

/** Which indices are in a list. */
function goneIn({ ids, count }: IndexList): (index: number) => boolean {
  if (count === 1) {
    const only = ids[0];
    return (index) => index === only;
  }
  const gone = new Set(ids.subarray(0, count));
  return (index) => gone.has(index);
}
