/**
 * The behaviours that update in every step, and the passes over them.
 *
 * The lists are in tree order and hold only active ones that have the hook, so that a pass is one loop of method calls. They are recreated
 * when the tree, the activity or the set of behaviours has changed.
 */
import type { Entity, World } from "../../ecs/index.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";
import { type Pace, TimeScale } from "../../inherit/index.ts";
import type { Acting } from "./acting.ts";
import type { BehaviourInstance } from "./behaviour.ts";
import type { HookName } from "./hooks.ts";
import { inUpdateOrder, type UpdateOrder } from "./update-order.ts";

/** Stands in for an instance that ended in the middle of a pass. */
const idleInstance: Required<Pick<BehaviourInstance, "update" | "lateUpdate">> = {
  update() {},
  lateUpdate() {},
};

interface UpdateHost {
  readonly world: World;
  readonly tree: Hierarchy;
  readonly pace: Pace;
}

export class UpdateLists {
  /** Whether anything but the tree has changed since the lists were created. */
  isDirty = true;
  private readonly host: UpdateHost;
  private readonly order: UpdateOrder;
  /** Called for a hook that throws; if it throws itself, the pass ends. */
  private readonly failed: (acting: Acting, hook: HookName, cause: unknown) => void;
  /** Entities whose time passes at another pace. */
  private readonly paced: { isEmpty(): boolean };
  /** The version of the tree for which the lists are in order. */
  private treeVersion = -1;
  private updates: BehaviourInstance[] = [];
  private lateUpdates: BehaviourInstance[] = [];
  private updating: Acting[] = [];
  private lateUpdating: Acting[] = [];
  /** The running pass, and its position: a number and not an object, because it is written before every call. */
  private passing: { readonly actings: readonly Acting[]; readonly hook: HookName } | undefined;
  private passAt = 0;

  constructor(
    host: UpdateHost,
    order: UpdateOrder,
    failed: (acting: Acting, hook: HookName, cause: unknown) => void,
  ) {
    this.host = host;
    this.order = order;
    this.failed = failed;
    this.paced = host.world.query(TimeScale);
  }

  /** The call that the pass is making. */
  get running(): { readonly acting: Acting; readonly hook: HookName } | undefined {
    const { passing } = this;
    const acting = passing?.actings[this.passAt];
    return passing === undefined || acting === undefined ? undefined : { acting, hook: passing.hook };
  }

  update(dt: number): void {
    this.pass(this.updates, this.updating, "update", dt);
  }

  lateUpdate(dt: number): void {
    this.pass(this.lateUpdates, this.lateUpdating, "lateUpdate", dt);
  }

  /** Updates the lists, if anything has changed. */
  refresh(actings: ReadonlyMap<Entity, readonly Acting[]>): void {
    const { tree } = this.host;
    if (!this.isDirty && tree.version === this.treeVersion) return;
    this.isDirty = false;
    this.treeVersion = tree.version;
    const updating: Acting[] = [];
    const lateUpdating: Acting[] = [];
    for (const entity of inUpdateOrder(tree, actings.keys(), this.order)) {
      for (const acting of actings.get(entity) ?? []) {
        if (!acting.isStarted || !acting.isEnabled || acting.isBroken) continue;
        const { hooks } = acting.kind.binding;
        if (hooks.has("update")) acting.updateAt = updating.push(acting) - 1;
        if (hooks.has("lateUpdate")) acting.lateAt = lateUpdating.push(acting) - 1;
      }
    }
    this.updating = updating;
    this.lateUpdating = lateUpdating;
    this.updates = updating.map(({ instance }) => instance as BehaviourInstance);
    this.lateUpdates = lateUpdating.map(({ instance }) => instance as BehaviourInstance);
  }

  /** Makes a behaviour that ended or was deactivated no longer be called, not even in the current pass. */
  leave(acting: Acting): void {
    if (this.updating[acting.updateAt] === acting) this.updates[acting.updateAt] = idleInstance;
    if (this.lateUpdating[acting.lateAt] === acting) this.lateUpdates[acting.lateAt] = idleInstance;
  }

  private pass(
    list: readonly BehaviourInstance[],
    actings: readonly Acting[],
    hook: "update" | "lateUpdate",
    dt: number,
  ): void {
    const outer = this.passing;
    const outerAt = this.passAt;
    this.passing = { actings, hook };
    try {
      if (this.paced.isEmpty()) this.plainPass(list, actings, hook, dt);
      else this.pacedPass(list, actings, hook, dt);
    } finally {
      this.passing = outer;
      this.passAt = outerAt;
    }
  }

  private plainPass(
    list: readonly BehaviourInstance[],
    actings: readonly Acting[],
    hook: "update" | "lateUpdate",
    dt: number,
  ): void {
    // The loop is inside the try block, so that a pass without an error pays for it once.
    for (let k = 0; k < list.length; k++) {
      try {
        if (hook === "update") {
          for (; k < list.length; k++) {
            this.passAt = k;
            (list[k] as typeof idleInstance).update(dt);
          }
        } else {
          for (; k < list.length; k++) {
            this.passAt = k;
            (list[k] as typeof idleInstance).lateUpdate(dt);
          }
        }
      } catch (cause) {
        this.failed(actings[k] as Acting, hook, cause);
      }
    }
  }

  /** The same if time passes slower for some entities: those for which it is stopped are skipped. */
  private pacedPass(
    list: readonly BehaviourInstance[],
    actings: readonly Acting[],
    hook: "update" | "lateUpdate",
    dt: number,
  ): void {
    const { pace, world } = this.host;
    for (let k = 0; k < list.length; k++) {
      const { entity } = actings[k] as Acting;
      const passed = world.isAlive(entity) ? dt * pace.of(entity) : 0;
      if (passed === 0) continue;
      this.passAt = k;
      try {
        (list[k] as typeof idleInstance)[hook](passed);
      } catch (cause) {
        this.failed(actings[k] as Acting, hook, cause);
      }
    }
  }
}
