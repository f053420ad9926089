/**
 * Applies states to entities that depend on them: once before the systems of a step and once after them.
 *
 * Its writes are derived from the states, so they are not recorded for undo: after an undo the next step sets them again, and
 * redo stays possible.
 */
import {
  type ChangeReader,
  changesOf,
  DEVELOPMENT,
  describeValue,
  type Entity,
  guardWrites,
  type World,
} from "../../ecs/index.ts";
import type { EntityEvents, Hierarchy } from "../../hierarchy/index.ts";
import { unrecorded } from "../../history/index.ts";
import { Active, createInherited, type Inherited, TimeScale } from "../../inherit/index.ts";
import { UnknownStateError } from "../errors.ts";
import { suggest } from "../nearest.ts";
import {
  type AllowedStates,
  InState,
  knownStates,
  nearestState,
  State,
  StateEntered,
  StateExited,
  type StateSchema,
} from "./components.ts";
import { reportUnknown } from "./report-unknown.ts";

interface StateHost {
  readonly world: World;
  readonly tree: Hierarchy;
  readonly events: EntityEvents;
}

export class States {
  private readonly host: StateHost;
  private readonly nearest: Inherited<StateSchema, string | null>;
  private readonly stateChanges: ChangeReader;
  private readonly gateChanges: ChangeReader;
  private readonly gates: Iterable<Entity> & { isEmpty(): boolean };
  /** The state of each entity that has one, as last sent. */
  private readonly sent = new Map<Entity, string>();
  private readonly endGuard: () => void;
  private treeVersion = -1;

  constructor(host: StateHost) {
    const { world, tree } = host;
    this.host = host;
    this.nearest = createInherited(tree, nearestState);
    this.stateChanges = changesOf(world, State);
    this.gateChanges = changesOf(world, InState);
    this.gates = world.query(InState);
    this.endGuard = guardWrites(world, State, (entity, values) => this.requireAllowed(entity, values));
  }

  /** Sends events for entered and exited states, and updates dependent entities. Costs nothing without changes. */
  update(): void {
    const isChanged = this.stateChanges.pending > 0;
    if (isChanged) this.send();
    const { version } = this.host.tree;
    const hasGates = this.gateChanges.pending > 0;
    if (!isChanged && !hasGates && (version === this.treeVersion || this.gates.isEmpty())) return;
    const { added, changed } = this.gateChanges.read();
    if (DEVELOPMENT) for (const entity of new Set([...added, ...changed])) reportUnknown(this.host, entity);
    this.treeVersion = version;
    this.nearest.propagate();
    const wrong = [...this.gates].filter((entity) => this.set(entity, false));
    if (wrong.length > 0)
      unrecorded(this.host.world, () => {
        for (const entity of wrong) this.set(entity, true);
      });
  }

  /** The state of the nearest entity upwards that has one. */
  of(entity: Entity): string | null {
    return this.nearest.of(entity);
  }

  close(): void {
    this.stateChanges.close();
    this.gateChanges.close();
    this.endGuard();
  }

  private send(): void {
    const { world, events } = this.host;
    const { added, changed, removed } = this.stateChanges.read();
    for (const entity of removed)
      if (!world.isAlive(entity) || !world.has(entity, State)) this.sent.delete(entity);
    // In the order of handles, so that it does not depend on earlier events.
    for (const entity of [...new Set([...added, ...changed])].sort((a, b) => a - b)) {
      const now = world.isAlive(entity) ? world.get(entity, State)?.now : undefined;
      const before = this.sent.get(entity);
      if (now === undefined || now === before) continue;
      this.sent.set(entity, now);
      if (before !== undefined) events.emit(entity, StateExited, { state: before, to: now });
      if (world.isAlive(entity)) events.emit(entity, StateEntered, { state: now, from: before ?? "" });
    }
  }

  /** Whether `Active` or `TimeScale` of the entity differ from its state; sets them if allowed. */
  private set(entity: Entity, maySet: boolean): boolean {
    const { world, tree } = this.host;
    const parent = tree.parentOf(entity);
    const now = parent === null ? null : this.nearest.of(parent);
    const gate = world.get(entity, InState);
    if (now === null || gate === undefined) return false;
    const { present, running } = gate;
    const on = present?.includes(now) ?? true;
    const value = (running?.includes(now) ?? true) ? 1 : 0;
    const isActiveWrong = present !== null && (world.get(entity, Active)?.on ?? true) !== on;
    const isPaceWrong = running !== null && (world.get(entity, TimeScale)?.value ?? 1) !== value;
    if (!maySet) return isActiveWrong || isPaceWrong;
    if (isActiveWrong) {
      if (world.has(entity, Active)) world.set(entity, Active, { on });
      else world.add(entity, Active({ on }));
    }
    if (isPaceWrong) {
      if (world.has(entity, TimeScale)) world.set(entity, TimeScale, { value });
      else world.add(entity, TimeScale({ value }));
    }
    return true;
  }

  private requireAllowed(entity: Entity, values: { readonly [field: string]: unknown }): void {
    const { world, tree } = this.host;
    const before = world.get(entity, State);
    const to = values.now as string | undefined;
    if (before === undefined || to === undefined || to === before.now) return;
    const allowed = (values.allowed === undefined ? before.allowed : values.allowed) as AllowedStates | null;
    const next = allowed === null || !Object.hasOwn(allowed, before.now) ? undefined : allowed[before.now];
    const choices = next ?? knownStates({ now: before.now, allowed });
    if (choices === undefined || choices.includes(to)) return;
    throw new UnknownStateError(
      `Cannot put ${tree.label(entity)} into the state ${describeValue(to)}: its State allows no such state after ${describeValue(before.now)}. ${suggest(to, choices, "states")}`,
      { entities: [entity], component: "State", field: "now", value: to, from: before.now, known: choices },
    );
  }
}
