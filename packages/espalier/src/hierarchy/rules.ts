/**
 * What a hierarchy refuses, and why: cycles, limits, constraints, names used twice.
 *
 * Nothing here changes anything. A refusal is the error that the editing call throws before it begins; where several
 * changes are asked for together, depth and names are judged by what all of them lead to.
 */

import type { Entity, World } from "../ecs/index.ts";
import { INDEX_MASK } from "../ecs/internal.ts";
import type { Constraint } from "./constraints.ts";
import { requireConstraint } from "./constraints.ts";
import {
  type CircularHierarchyError,
  ConstraintError,
  cycleError,
  type DuplicateNameError,
  HierarchyTooDeepError,
  InvalidEditError,
  TooManyChildrenError,
} from "./errors.ts";
import { NamedHierarchy } from "./named.ts";
import type { HierarchyOptions } from "./options.ts";

/** Changes that are meant to be made together: node → parent. */
export type Plan = ReadonlyMap<number, number>;

export class RuledHierarchy extends NamedHierarchy {
  protected constraints: readonly Constraint[] = [];

  constructor(world: World, options: HierarchyOptions) {
    super(world, options);
    this.isPlain = this.hasNoRules();
  }

  private hasNoRules(): boolean {
    const { maxChildren, maxDepth, uniqueNames } = this.options;
    const isUnlimited = maxChildren === undefined && maxDepth === undefined;
    return isUnlimited && !uniqueNames && this.constraints.length === 0;
  }

  /**
   * Adds a rule. Nodes that break it already stay; it holds for attaching, detaching and adding components from now on.
   * Returns a function that ends it.
   */
  constrain(constraint: Constraint): () => void {
    requireConstraint(constraint);
    this.constraints = [...this.constraints, constraint];
    this.isPlain = false;
    const ends = (constraint.components ?? []).map((component) =>
      this.world.guard(component, (index) => {
        const entity = index === 0 ? null : this.handleAt(index);
        const parent = this.entityOrNull(index === 0 ? this.guardedParent : this.links.parent(index));
        const why = constraint.add?.(entity, component, parent);
        if (why === undefined) return;
        if (entity !== null) throw this.constraintError(constraint, `add ${component.name} to`, entity, why);
        const under = parent === null ? "as a root" : `under ${this.label(parent)}`;
        throw new ConstraintError(
          constraint.name,
          `Cannot create an entity with ${component.name} ${under}: ${why} (constraint ${constraint.name} of ${this.name}).`,
          parent === null ? [] : [parent],
        );
      }),
    );
    return () => {
      this.constraints = this.constraints.filter((other) => other !== constraint);
      this.isPlain = this.hasNoRules();
      for (const end of ends) end();
    };
  }

  /** @internal Whether a rule looks at components. */
  get hasConstraints(): boolean {
    return this.constraints.length > 0;
  }

  /** @internal The next entity that is created will be attached to `parent`, for rules that look at components. */
  expectParent(parent: Entity | null): void {
    this.guardedParent = parent !== null && this.world.isAlive(parent) ? parent & INDEX_MASK : 0;
  }

  // One change ---------------------------------------------------------------------------------------------------------

  /** Why `child` cannot go under `parent`, as the error that would be thrown; nothing if it can. */
  protected refusal(child: number, parent: number): Error | undefined {
    if (parent !== 0) {
      const error = this.cycle(child, parent) ?? this.doomedParent(parent, child);
      if (error !== undefined) return error;
    }
    if (this.isPlain || this.links.parent(child) === parent) return undefined;
    return (
      this.tooMany(parent, 1) ??
      this.tooDeep(child, parent) ??
      this.constrained(child, parent) ??
      this.nameTaken(child, parent)
    );
  }

  /** A parent that is being destroyed takes nobody in, except what goes with it anyway. */
  protected doomedParent(parent: number, child = 0): Error | undefined {
    const { doomed } = this.state;
    if (doomed.size === 0 || !doomed.has(parent)) return undefined;
    if (child !== 0 && (doomed.has(child) || this.links.parent(child) === parent)) return undefined;
    const entity = this.handleAt(parent);
    const what = child === 0 ? "a new entity" : this.label(this.handleAt(child));
    return new InvalidEditError(
      `Cannot attach ${what} to ${this.label(entity)}: it is being destroyed and takes nobody in. Attach it to another parent, or leave it a root.`,
      [entity],
    );
  }

  protected cycle(child: number, parent: number): CircularHierarchyError | undefined {
    const { links } = this;
    // A leaf can be nobody's ancestor, so only its own case is left.
    if (child !== parent && links.first(child) === 0) return undefined;
    if (parent === 0 || !this.isInside(parent, child)) return undefined;
    const chain: Entity[] = [];
    for (let node = parent; node !== child; node = links.parent(node)) chain.push(this.handleAt(node));
    chain.push(this.handleAt(child));
    return cycleError(chain.reverse(), (entity) => this.label(entity));
  }

  protected override whyNotBack(child: number, parent: number): Error | undefined {
    const cycle = parent === 0 ? undefined : this.cycle(child, parent);
    // Other limits may be exceeded on the way back, as they were on the way here; a fixed array cannot be.
    const isBounded = this.options.links === "inline" && this.links.parent(child) !== parent;
    return cycle ?? (isBounded ? this.tooMany(parent, 1) : undefined);
  }

  /** @param joining How many children come to `parent` in this call; `count` are there when they do. */
  protected tooMany(parent: number, joining: number, count = this.links.count(parent)): Error | undefined {
    const max = this.options.maxChildren;
    if (max === undefined || parent === 0 || joining <= 0 || count + joining <= max) return undefined;
    const entity = this.handleAt(parent);
    return new TooManyChildrenError(
      `Cannot give ${this.label(entity)} ${joining === 1 ? "another child" : `${joining} further children`}: it has ${count} and ${this.name} allows ${max}. Detach one first, or raise maxChildren.`,
      [entity],
    );
  }

  private tooDeep(child: number, parent: number): Error | undefined {
    const { maxDepth } = this.options;
    if (maxDepth === undefined || parent === 0) return undefined;
    const depth = this.depthOfNode(parent) + 1 + this.heightOfNode(child);
    return depth <= maxDepth ? undefined : this.tooDeepError(child, parent, depth);
  }

  /** For an entity that does not exist yet. */
  protected tooDeepForNew(parent: number): Error | undefined {
    const { maxDepth } = this.options;
    if (maxDepth === undefined) return undefined;
    const depth = this.depthOfNode(parent) + 1;
    return depth <= maxDepth ? undefined : this.tooDeepError(0, parent, depth);
  }

  protected tooDeepError(child: number, parent: number, depth: number): Error {
    const entities = [child, parent].filter((node) => node !== 0).map((node) => this.handleAt(node));
    const what = child === 0 ? "create an entity" : `move ${this.label(entities[0])}`;
    return new HierarchyTooDeepError(
      `Cannot ${what} under ${this.label(entities.at(-1) as Entity)}: the tree would get ${depth} levels below its root and ${this.name} allows ${this.options.maxDepth}. Attach it higher up, or raise maxDepth.`,
      entities,
    );
  }

  protected constrained(child: number, parent: number): Error | undefined {
    if (this.constraints.length === 0) return undefined;
    const entity = this.handleAt(child);
    for (const constraint of this.constraints) {
      const why = constraint.attach?.(entity, this.entityOrNull(parent));
      if (why === undefined) continue;
      return this.constraintError(constraint, parent === 0 ? "detach" : "attach", entity, why);
    }
    return undefined;
  }

  private constraintError(
    constraint: Constraint,
    doing: string,
    entity: Entity,
    why: string,
  ): ConstraintError {
    return new ConstraintError(
      constraint.name,
      `Cannot ${doing} ${this.label(entity)}: ${why} (constraint ${constraint.name} of ${this.name}).`,
      [entity],
    );
  }

  private nameTaken(node: number, parent: number): DuplicateNameError | undefined {
    if (!this.names.unique) return undefined;
    const name = this.names.of(node);
    if (name === undefined) return undefined;
    const other = this.names.find(parent, name);
    return other === 0 || other === node ? undefined : this.duplicateName(node, other, name);
  }

  /** The dying parent still counts as a child of `parent` and is about to leave. */
  protected override mayGo(child: number, parent: number): boolean {
    return (
      this.doomedParent(parent, child) === undefined &&
      this.tooMany(parent, 1, this.links.count(parent) - 1) === undefined &&
      this.constrained(child, parent) === undefined
    );
  }

  // Several changes together -------------------------------------------------------------------------------------------

  /** Throws when one of `nodes` cannot go under `to` together with the others. */
  protected requireAttachable(nodes: readonly number[], to: number): void {
    if (to !== 0) {
      for (const node of nodes) {
        const error = this.cycle(node, to) ?? this.doomedParent(to, node);
        if (error !== undefined) throw error;
      }
    }
    if (this.isPlain) return;
    const joining = nodes.filter((node) => this.links.parent(node) !== to);
    const error = this.tooMany(to, joining.length);
    if (error !== undefined) throw error;
    this.requirePlan(new Map(joining.map((node) => [node, to])));
  }

  /** Throws when a constraint, a limit of depth or a name stands against the outcome of a plan. */
  protected requirePlan(plan: Plan, leaving = 0): void {
    for (const [node, to] of plan) {
      const error = this.links.parent(node) === to ? undefined : this.constrained(node, to);
      if (error !== undefined) throw error;
    }
    this.requireDepths(plan);
    this.requireNames(plan, leaving);
  }

  private requireDepths(plan: Plan): void {
    const { maxDepth } = this.options;
    if (maxDepth === undefined) return;
    const joining = new Map<number, number[]>();
    for (const [node, to] of plan) {
      const list = joining.get(to);
      if (list === undefined) joining.set(to, [node]);
      else list.push(node);
    }
    // Only what hangs on a moved node changes its depth.
    for (const [top, to] of plan) {
      if (to === 0) continue;
      let depth = 0;
      for (let up = to; up > 0; up = plan.get(up) ?? this.links.parent(up)) depth++;
      const deepest = depth + this.plannedHeight(top, plan, joining);
      if (deepest > maxDepth) throw this.tooDeepError(top, to, deepest);
    }
  }

  /** Levels below `top` once the plan is carried out. */
  private plannedHeight(top: number, plan: Plan, joining: ReadonlyMap<number, readonly number[]>): number {
    let height = 0;
    const stack: number[] = [top, 0];
    while (stack.length > 0) {
      const depth = stack.pop() as number;
      const node = stack.pop() as number;
      height = Math.max(height, depth);
      for (let child = this.links.first(node); child !== 0; child = this.links.next(child)) {
        if (!plan.has(child)) stack.push(child, depth + 1);
      }
      for (const child of joining.get(node) ?? []) stack.push(child, depth + 1);
    }
    return height;
  }

  /** @param leaving A node whose name does not count, because it is about to be destroyed. */
  private requireNames(plan: Plan, leaving: number): void {
    if (!this.names.unique) return;
    const taken = new Map<number, Map<string, number>>();
    for (const [node, parent] of plan) {
      const name = this.names.of(node);
      if (name === undefined) continue;
      const here = taken.get(parent) ?? new Map<string, number>();
      taken.set(parent, here);
      const there = this.names.find(parent, name);
      const isStaying = there !== 0 && there !== node && there !== leaving && !plan.has(there);
      const other = here.get(name) ?? (isStaying ? there : undefined);
      if (other !== undefined) throw this.duplicateName(node, other, name);
      here.set(name, node);
    }
  }
}
