/**
 * All entities that ever had an id, as a tree of id steps.
 */
import type { Entity } from "../../ecs/index.ts";
import type { Steps } from "../read/id-steps.ts";

/** An entity, and the whole id it had. */
export interface Owner {
  readonly entity: Entity;
  readonly id: string;
}

/** The entity with one id, and those whose ids begin with it. */
export class IdTree implements Steps<IdTree> {
  readonly owners: Owner[] = [];
  private below: Map<string, IdTree> | undefined = undefined;

  at(id: string): IdTree | undefined {
    return this.below?.get(id);
  }

  into(id: string): IdTree | undefined {
    return this.at(id);
  }

  /** The node of the next step, created if missing. */
  step(id: string): IdTree {
    this.below ??= new Map();
    let next = this.below.get(id);
    if (next === undefined) {
      next = new IdTree();
      this.below.set(id, next);
    }
    return next;
  }

  add(owner: Owner): void {
    if (!this.owners.some(({ entity }) => entity === owner.entity)) this.owners.push(owner);
  }
}
