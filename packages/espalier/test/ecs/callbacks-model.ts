/**
 * A world with a tree whose observers edit, grow, destroy and throw, and its slow twin: plain maps, and one list of notices that is
 * worked off when a call has ended.
 *
 * Entities go by their number in the order of creation, which is the same on both sides as long as both do the same.
 */
import {
  checkWorld,
  component,
  createWorld,
  type Entity,
  f64,
  guard,
  i32,
  type Observer,
  observe,
  observeEntities,
  string,
  tag,
  type World,
} from "espalier";
import { checkTree, createHierarchy, type Hierarchy } from "espalier/hierarchy";
import { extend, stateOf } from "espalier/internal";

export const components = [
  component("A", { v: i32() }),
  component("B", { v: f64() }),
  component("S", { v: string("") }, { storage: "sparse" }),
  tag("T"),
] as const;

const KINDS = ["spawn", "add", "set", "remove", "destroy"] as const;
export type Kind = (typeof KINDS)[number];

/** One edit; its targets are chosen among the entities that live when its turn comes. */
export interface Edit {
  readonly do:
    | "spawn"
    | "spawnMany"
    | "destroy"
    | "destroyTwo"
    | "add"
    | "remove"
    | "set"
    | "attach"
    | "attachNew"
    | "grow"
    | "throw";
  readonly a: number;
  readonly b: number;
  /** Which components: a bit each. */
  readonly mask: number;
  readonly value: number;
}

/** What observers do: by kind of notice and component. `chance` makes some notices pass by. */
export interface Script {
  readonly kind: Kind;
  readonly component: number;
  readonly chance: number;
  readonly edits: readonly Edit[];
}

/** What one side of the comparison can do. */
interface Side {
  readonly log: string[];
  /** The numbers of those that live, ascending. */
  living(): number[];
  perform(edit: Edit): void;
}

/** Runs the scripts for a notice. Both sides share this, so that only what they know of the world can differ. */
class Player {
  fuel = 0;
  private readonly scripts: readonly Script[];

  constructor(scripts: readonly Script[]) {
    this.scripts = scripts;
  }

  notice(side: Side, kind: Kind, which: number, number: number, value: unknown): void {
    side.log.push(`${kind} ${which < 0 ? "" : (components[which]?.name ?? "")} ${number} ${String(value)}`);
    for (const { kind: of, component: own, chance, edits } of this.scripts) {
      if (of !== kind || (which >= 0 && own !== which) || number % chance !== 0) continue;
      for (const edit of edits) {
        if (this.fuel <= 0) return;
        this.fuel--;
        side.perform(edit);
      }
    }
  }
}

const pick = (list: readonly number[], k: number): number | undefined => list[k % Math.max(list.length, 1)];
const chosen = (mask: number): number[] => [0, 1, 2, 3].filter((k) => (mask >> k) & 1);
const plainValue = (which: number, value: number): unknown =>
  which === 2 ? `s${value}` : which === 3 ? undefined : value;

// The world ----------------------------------------------------------------------------------------------------------------

export class RealSide implements Side {
  readonly log: string[] = [];
  readonly world: World;
  readonly tree: Hierarchy;
  private readonly handles: Entity[] = [];
  private readonly numbers = new Map<Entity, number>();
  private readonly player: Player;

  constructor(scripts: readonly Script[]) {
    this.player = new Player(scripts);
    this.world = createWorld({
      capacity: 4,
      onError: (error) => this.log.push(`error ${(error.cause as Error).message}`),
    });
    this.tree = createHierarchy(this.world);
    // Numbers are given in the order of creation.
    extend(stateOf(this.world), {
      life: {
        created: (ids, from, to) => {
          for (let k = from; k < to; k++) {
            const entity = this.world.handleAt(ids[k] as number);
            this.numbers.set(entity, this.handles.push(entity) - 1);
          }
        },
        leaving: () => {},
      },
    });
    components.forEach((each, which) => {
      // The world numbers components as it meets them.
      this.world.query(each);
      const value = (entity: Entity) => (this.world.get(entity, each) as { v?: unknown } | undefined)?.v;
      const observer: Observer = {
        add: (entity) =>
          this.heard("add", which, entity, this.world.isAlive(entity) ? value(entity) : "gone"),
        set: (entity) =>
          this.heard("set", which, entity, this.world.isAlive(entity) ? value(entity) : "gone"),
        remove: (entity, last) => this.heard("remove", which, entity, (last as { v?: unknown }).v),
      };
      observe(this.world, each, observer);
    });
    observeEntities(this.world, {
      spawn: (entity) => this.heard("spawn", -1, entity, this.world.isAlive(entity)),
      destroy: (entity) => {
        const had = components.map((each) => (this.world.has(entity, each) ? 1 : 0)).join("");
        const parent = this.tree.parentOf(entity);
        this.heard("destroy", -1, entity, `${had} ${parent === null ? "-" : this.numberOf(parent)}`);
      },
    });
    // Guards that try to edit are refused, and change nothing.
    guard(this.world, components[0], () => {
      try {
        this.world.spawn();
      } catch {
        return;
      }
      throw new Error("a guard could edit");
    });
  }

  private heard(kind: Kind, which: number, entity: Entity, value: unknown): void {
    this.player.notice(this, kind, which, this.numberOf(entity), value);
  }

  private numberOf(entity: Entity): number {
    return this.numbers.get(entity) as number;
  }

  living(): number[] {
    return this.handles.flatMap((entity, number) => (this.world.isAlive(entity) ? [number] : []));
  }

  run(edit: Edit, fuel: number): void {
    this.player.fuel = fuel;
    this.perform(edit);
  }

  perform(edit: Edit): void {
    const { world, tree } = this;
    const living = this.living();
    const [a, b] = [pick(living, edit.a), pick(living, edit.b)].map((number) => this.handles[number ?? -1]);
    const inits = chosen(edit.mask).map((which) => {
      const value = plainValue(which, edit.value);
      return value === undefined ? components[3] : components[which as 0]({ v: value as number });
    });
    const some = chosen(edit.mask).map((which) => components[which] as (typeof components)[0]);
    switch (edit.do) {
      case "throw":
        throw new Error(`thrown ${edit.value}`);
      case "grow":
        world.reserve(edit.a * 40);
        return;
      case "spawn":
        world.spawn(...inits);
        return;
      case "spawnMany":
        world.spawnMany(edit.a % 5, ...inits);
        return;
      case "attachNew":
        tree.attachNew(a ?? null, ...inits);
        return;
      default:
    }
    if (a === undefined || b === undefined) return;
    if (edit.do === "destroy") world.destroy(a);
    else if (edit.do === "destroyTwo") world.destroy(a, b);
    else if (edit.do === "add") world.add(a, ...inits);
    else if (edit.do === "remove") world.remove(a, ...some);
    else if (edit.do === "set") {
      for (const which of chosen(edit.mask & 7)) {
        const each = components[which] as (typeof components)[0];
        if (world.isAlive(a) && world.has(a, each))
          world.set(a, each, { v: plainValue(which, edit.value) as number });
      }
    } else if (tree.canAttach(a, b)) tree.attach(a, b);
  }

  state(): unknown {
    return this.living().map((number) => {
      const entity = this.handles[number] as Entity;
      const parent = this.tree.parentOf(entity);
      return [
        number,
        components.map((each) =>
          this.world.has(entity, each)
            ? ((this.world.get(entity, each) as { v?: unknown }).v ?? "tag")
            : null,
        ),
        parent === null ? null : this.numberOf(parent),
        this.tree.childrenOf(entity).map((child) => this.numberOf(child)),
      ];
    });
  }

  problems(): unknown[] {
    const queries = components.flatMap((each) => {
      const found = this.world.query(each).ids();
      const right = this.living().filter((number) => this.world.has(this.handles[number] as Entity, each));
      return found.length === right.length
        ? []
        : [`query(${each.name}) finds ${found.length} of ${right.length}`];
    });
    return [...checkWorld(this.world), ...checkTree(this.tree), ...queries];
  }
}

// The slow twin ------------------------------------------------------------------------------------------------------------

interface Plain {
  readonly number: number;
  isAlive: boolean;
  readonly values: Map<number, unknown>;
  parent: Plain | null;
  children: Plain[];
}

export class NaiveSide implements Side {
  readonly log: string[] = [];
  private readonly all: Plain[] = [];
  private readonly player: Player;
  private queue: (() => void)[] = [];
  private isDelivering = false;

  constructor(scripts: readonly Script[]) {
    this.player = new Player(scripts);
  }

  living(): number[] {
    return this.all.flatMap(({ isAlive, number }) => (isAlive ? [number] : []));
  }

  run(edit: Edit, fuel: number): void {
    this.player.fuel = fuel;
    this.perform(edit);
  }

  /** One call: the edit first, then everything that it caused. */
  perform(edit: Edit): void {
    if (edit.do === "throw") throw new Error(`thrown ${edit.value}`);
    if (edit.do === "set") {
      // Several calls, one for each component.
      const living = this.living();
      const target = this.all[pick(living, edit.a) ?? -1];
      if (target === undefined) return;
      for (const which of chosen(edit.mask & 7)) {
        if (target.isAlive && target.values.has(which))
          this.call(() => this.write(target, which, plainValue(which, edit.value)));
      }
      return;
    }
    this.call(() => this.edit(edit));
  }

  private call(work: () => void): void {
    work();
    if (this.isDelivering) return;
    this.isDelivering = true;
    for (let next = this.queue.shift(); next !== undefined; next = this.queue.shift()) {
      try {
        next();
      } catch (error) {
        this.log.push(`error ${(error as Error).message}`);
      }
    }
    this.isDelivering = false;
  }

  private later(kind: Kind, which: number, { number }: Plain, value: () => unknown): void {
    this.queue.push(() => this.player.notice(this, kind, which, number, value()));
  }

  private edit(edit: Edit): void {
    const living = this.living();
    const [a, b] = [pick(living, edit.a), pick(living, edit.b)].map((number) => this.all[number ?? -1]);
    const mask = chosen(edit.mask);
    switch (edit.do) {
      case "spawn":
        this.create(null, mask, edit.value);
        return;
      case "spawnMany":
        for (let k = 0; k < edit.a % 5; k++) this.create(null, mask, edit.value);
        return;
      case "attachNew":
        this.create(a ?? null, mask, edit.value);
        return;
      default:
    }
    if (a === undefined || b === undefined) return;
    if (edit.do === "destroy") this.destroy(a);
    else if (edit.do === "destroyTwo") for (const it of [a, b]) this.destroy(it);
    else if (edit.do === "add") this.add(a, mask, edit.value);
    else if (edit.do === "remove") this.remove(a, mask);
    else if (edit.do === "attach") this.attach(a, b);
  }

  private create(parent: Plain | null, mask: readonly number[], value: number): void {
    const made: Plain = { number: this.all.length, isAlive: true, values: new Map(), parent, children: [] };
    this.all.push(made);
    parent?.children.push(made);
    for (const which of mask) made.values.set(which, plainValue(which, value));
    this.later("spawn", -1, made, () => made.isAlive);
    for (const which of mask)
      this.later("add", which, made, () => (made.isAlive ? made.values.get(which) : "gone"));
  }

  private add(it: Plain, mask: readonly number[], value: number): void {
    for (const which of mask) {
      if (it.values.has(which)) this.write(it, which, plainValue(which, value));
      else {
        it.values.set(which, plainValue(which, value));
        this.later("add", which, it, () => (it.isAlive ? it.values.get(which) : "gone"));
      }
    }
  }

  private write(it: Plain, which: number, value: unknown): void {
    if (Object.is(it.values.get(which), value)) return;
    it.values.set(which, value);
    this.later("set", which, it, () => (it.isAlive ? it.values.get(which) : "gone"));
  }

  private remove(it: Plain, mask: readonly number[]): void {
    for (const which of mask) {
      if (!it.values.has(which)) continue;
      const last = it.values.get(which);
      it.values.delete(which);
      this.later("remove", which, it, () => last);
    }
  }

  private destroy(top: Plain): void {
    if (!top.isAlive) return;
    const parent = top.parent?.number ?? "-";
    for (const child of [...top.children]) this.destroy(child);
    top.isAlive = false;
    if (top.parent !== null) top.parent.children = top.parent.children.filter((child) => child !== top);
    const values = new Map([...top.values].sort(([a], [b]) => a - b));
    const had = components.map((_, which) => (values.has(which) ? 1 : 0)).join("");
    this.later("destroy", -1, top, () => `${had} ${parent}`);
    for (const [which, last] of values) this.later("remove", which, top, () => last);
  }

  private attach(child: Plain, parent: Plain): void {
    for (let up: Plain | null = parent; up !== null; up = up.parent) if (up === child) return;
    if (child.parent !== null)
      child.parent.children = child.parent.children.filter((other) => other !== child);
    child.parent = parent;
    parent.children.push(child);
  }

  state(): unknown {
    return this.all
      .filter(({ isAlive }) => isAlive)
      .map(({ number, values, parent, children }) => [
        number,
        components.map((_, which) => (values.has(which) ? (values.get(which) ?? "tag") : null)),
        parent?.number ?? null,
        children.map((child) => child.number),
      ]);
  }
}
