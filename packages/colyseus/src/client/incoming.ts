/**
 * Turns patches of Colyseus into patches of a world: collected while a patch is decoded, applied when it is complete.
 */
import { Callbacks } from "@colyseus/schema";
import type { AnyComponent, Entity, World } from "espalier";
import type { Hierarchy } from "espalier/hierarchy";
import {
  type AddEntry,
  applyPatch,
  createIdMap,
  type FieldValues,
  type IdMap,
  type Key,
  type PatchEntry,
  type TreePosition,
  type Violation,
} from "espalier/history";
import type { FieldPlan, WireValue } from "../field-plans.ts";
import type { Replication } from "../replicate.ts";
import type { ComponentState, EntityState } from "../state-classes.ts";
import type { Known } from "./known.ts";
import { Siblings } from "./siblings.ts";

/** The game that follows. */
export interface FollowingGame {
  /** The world that follows. */
  readonly world: World;
  /** Its tree. */
  readonly tree: Hierarchy;
}

/** A decoded schema, ready to be listened to. */
interface Room {
  readonly state: unknown;
  readonly serializer: object;
}

/** The result of a patch. */
export interface Applied {
  readonly added: readonly Known[];
  readonly removed: readonly Known[];
  /** Entities with another owner. */
  readonly given: readonly Known[];
  readonly violations: readonly Violation[];
}

/** Whether a field is written by interpolation or prediction instead. */
export type IsElsewhere = (known: Known, field: FieldPlan) => boolean;

export class Incoming {
  readonly ids: IdMap = createIdMap();
  readonly known = new Map<number, Known>();
  private readonly net: Replication;
  private readonly game: FollowingGame;
  private readonly siblings = new Siblings();
  private readonly arrived = new Set<Known>();
  private readonly gone = new Map<number, Known>();
  private readonly changed = new Set<Known>();
  /** Components with changed values: their entity and position. */
  private readonly written = new Map<ComponentState, { known: Known; k: number }>();
  /** Components that refer to entities. */
  private readonly referring = new Map<ComponentState, { known: Known; k: number }>();
  private readonly stop: (() => void)[] = [];
  /** By component: the fields that refer to entities. */
  private readonly refers: readonly (readonly FieldPlan[])[];

  constructor(net: Replication, room: Room, game: FollowingGame) {
    this.net = net;
    this.game = game;
    this.refers = net.plans.map(({ fields }) => fields.filter(({ targets }) => targets !== undefined));
    type State = { entities: Map<string, EntityState> };
    const callbacks = Callbacks.get(room as never) as unknown as {
      onAdd(name: keyof State, run: (state: EntityState, key: string) => void): () => void;
      onRemove(name: keyof State, run: (state: EntityState, key: string) => void): () => void;
      onChange(instance: object, run: () => void): () => void;
    };
    this.listen = (instance, run) => callbacks.onChange(instance, run);
    this.stop.push(
      callbacks.onAdd("entities", (state, key) => this.arrive(Number(key), state)),
      callbacks.onRemove("entities", (_state, key) => this.leave(Number(key))),
    );
  }

  private readonly listen: (instance: object, run: () => void) => () => void;

  close(): void {
    for (const stop of this.stop) stop();
    for (const known of [...this.known.values(), ...this.arrived]) detach(known);
  }

  /** Applies decoded changes to the world. `leaving` is called for each entity that is about to be removed. */
  apply(isElsewhere: IsElsewhere, leaving?: (entity: Entity, id: number) => void): Applied {
    const added = [...this.arrived];
    const removed = [...this.gone.values()];
    const given: Known[] = added.filter(({ state }) => state.owner !== "");
    const patch: PatchEntry[] = [];
    const { name: tree } = this.game.tree;
    for (const { key } of removed) {
      const entity = this.ids.entityOf(key);
      if (entity === undefined) continue;
      if (this.game.world.isAlive(entity)) {
        leaving?.(entity, key);
        patch.push({ op: "remove", id: key, tree });
      } else this.ids.drop(entity);
    }
    for (const known of removed) this.forget(known);
    for (const known of added) {
      this.known.set(known.key, known);
      this.siblings.put(known);
    }
    const moved: Known[] = [];
    for (const known of this.changed) {
      if (!this.isHere(known) || this.arrived.has(known)) continue;
      this.compare(known, patch, moved, given);
    }
    const placed = new Set([...moved, ...this.siblings.orphansOf(added)]);
    for (const known of this.siblings.inOrder(added)) patch.push(this.addOf(known));
    for (const known of this.siblings.inOrder([...placed])) {
      if (this.isHere(known)) patch.push({ op: "move", id: known.key, tree, ...this.positionOf(known) });
    }
    this.wake(added);
    for (const [state, { known, k }] of this.written) {
      if (this.arrived.has(known) || !this.isHere(known)) continue;
      const values = this.valuesOf(state, k, (plan) => !isElsewhere(known, plan));
      if (Object.keys(values).length === 0) continue;
      patch.push({ op: "set", id: known.key, component: this.nameOf(k), values });
    }
    this.arrived.clear();
    this.gone.clear();
    this.changed.clear();
    this.written.clear();
    if (patch.length === 0) return { added, removed, given, violations: [] };
    const { violations } = applyPatch(this.game.world, patch, {
      ids: this.ids,
      trees: [this.game.tree],
      components: this.net.components,
      rules: "report",
    });
    return { added, removed, given, violations };
  }

  /** The server's values of some fields of a component. */
  valuesOf(state: ComponentState, k: number, wants: (field: FieldPlan) => boolean = () => true): FieldValues {
    const values: { [field: string]: FieldValues[string] } = {};
    for (const plan of (this.net.plans[k] as { fields: readonly FieldPlan[] }).fields) {
      if (!wants(plan)) continue;
      const value = state[plan.name] as WireValue | undefined;
      values[plan.name] = plan.fromWire(value ?? plan.initial, this.isPresent);
    }
    return values;
  }

  /** The entity of a known one, if it is alive. */
  entityOf(known: Known): Entity | undefined {
    const entity = this.ids.entityOf(known.key);
    return entity !== undefined && this.game.world.isAlive(entity) ? entity : undefined;
  }

  private readonly isPresent = (key: Key): boolean => {
    const known = this.known.get(key as number);
    return known !== undefined && this.isHere(known);
  };

  private isHere(known: Known): boolean {
    return (
      this.known.get(known.key) === known && (this.arrived.has(known) || this.entityOf(known) !== undefined)
    );
  }

  private arrive(key: number, state: EntityState): void {
    const old = this.known.get(key);
    if (old !== undefined && !this.gone.has(key)) this.gone.set(key, old);
    const known: Known = {
      key,
      state,
      parent: 0,
      order: 0,
      name: "",
      owner: "",
      components: [],
      detach: this.listen(state, () => this.changed.add(known)),
      detachComponents: [],
    };
    this.arrived.add(known);
    this.changed.add(known);
    this.fresh.set(key, known);
  }

  /** Added entities that are not applied yet, by key: those added and removed in one patch cancel out. */
  private readonly fresh = new Map<number, Known>();

  private leave(key: number): void {
    const fresh = this.fresh.get(key);
    if (fresh !== undefined && this.arrived.delete(fresh)) {
      detach(fresh);
      this.changed.delete(fresh);
      this.fresh.delete(key);
      return;
    }
    const known = this.known.get(key);
    if (known !== undefined) this.gone.set(key, known);
  }

  private forget(known: Known): void {
    detach(known);
    for (const state of known.components) if (typeof state === "object") this.referring.delete(state);
    this.siblings.take(known);
    if (this.known.get(known.key) === known) this.known.delete(known.key);
  }

  private compare(known: Known, patch: PatchEntry[], moved: Known[], given: Known[]): void {
    const { state, key } = known;
    if (state.parent !== known.parent || state.order !== known.order) {
      this.siblings.put(known);
      moved.push(known);
    }
    if (state.name !== known.name) {
      known.name = state.name;
      patch.push({ op: "set", id: key, tree: this.game.tree.name, name: state.name || null });
    }
    if (state.owner !== known.owner) {
      known.owner = state.owner;
      given.push(known);
    }
    this.net.plans.forEach((_plan, k) => {
      const value = state[`c${k}`] || undefined;
      if (value === known.components[k]) return;
      this.hold(known, k, value);
      const values = value === undefined ? null : typeof value === "object" ? this.valuesOf(value, k) : {};
      patch.push({ op: "set", id: key, component: this.nameOf(k), values });
    });
  }

  private addOf(known: Known): AddEntry {
    const { state, key } = known;
    known.name = state.name;
    known.owner = state.owner;
    const components: { [name: string]: FieldValues } = {};
    this.net.plans.forEach((_plan, k) => {
      const value = state[`c${k}`] || undefined;
      this.hold(known, k, value);
      if (value !== undefined) {
        components[this.nameOf(k)] = typeof value === "object" ? this.valuesOf(value, k) : {};
      }
    });
    const name = state.name === "" ? {} : { name: state.name };
    const positions =
      state.parent < 0 ? {} : { [this.game.tree.name]: { ...this.positionOf(known), ...name } };
    return { op: "add", id: key, components, positions };
  }

  private positionOf(known: Known): TreePosition {
    const parent = this.known.get(known.parent);
    const isBelow = parent !== undefined && this.isHere(parent);
    return { parent: isBelow ? known.parent : null, after: this.siblings.before(known)?.key ?? null };
  }

  /** Listens to the values of a component, instead of to the former ones. */
  private hold(known: Known, k: number, value: ComponentState | boolean | undefined): void {
    const old = known.components[k];
    if (typeof old === "object") {
      this.referring.delete(old);
      this.written.delete(old);
    }
    known.detachComponents[k]?.();
    delete known.detachComponents[k];
    known.components[k] = value;
    if (typeof value !== "object") return;
    const at = { known, k };
    if ((this.refers[k] as readonly FieldPlan[]).length > 0) this.referring.set(value, at);
    known.detachComponents[k] = this.listen(value, () => this.written.set(value, at));
  }

  /** Rewrites references to added entities, which read as `null` until now. */
  private wake(added: readonly Known[]): void {
    for (const { key } of added) this.fresh.delete(key);
    if (added.length === 0 || !this.refers.some((plans) => plans.length > 0)) return;
    const keys = new Set<Key>(added.map(({ key }) => key));
    for (const [state, at] of this.referring) {
      for (const { name, targets, initial } of this.refers[at.k] as readonly FieldPlan[]) {
        const value = (state[name] as WireValue | undefined) ?? initial;
        if (targets?.(value).some((key) => keys.has(key))) this.written.set(state, at);
      }
    }
  }

  private nameOf(k: number): string {
    return (this.net.components[k] as AnyComponent).name;
  }
}

function detach({ detach, detachComponents }: Known): void {
  detach();
  for (const stop of Object.values(detachComponents)) stop();
}
