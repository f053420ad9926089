/**
 * Which bodies are not on roots, and what is above them: whether it moves them, and whether it is on.
 *
 * Many bodies are below few folders, and the tree changes in most steps of a game. So what is above is looked up once for each
 * parent, and only bodies that have another parent, or to which theirs does something else, are looked at further.
 */
import type { Entity } from "../../ecs/index.ts";
import { rawLinks } from "../../hierarchy/index.ts";
import { type Context, isActive, isCut, moverFrom } from "../context.ts";
import type { BodyRecord, BodyRecords } from "./body-records.ts";

/** What a parent does to the bodies below it. */
interface Above {
  readonly isMoving: boolean;
  readonly isActive: boolean;
  /** Whether it did something else the last time. */
  readonly isNew: boolean;
}

const aboveRoots: Above = { isMoving: false, isActive: true, isNew: false };

export class BodyParents {
  /** Those that must be looked at, since the last `find`. */
  readonly changed: BodyRecord[] = [];
  private readonly context: Context;
  private readonly records: BodyRecords;
  /** By index of the parent: as of the last `keep`, and as of the last `find`. */
  private kept = new Map<number, Above>();
  private found = new Map<number, Above>();

  constructor(context: Context, records: BodyRecords) {
    this.context = context;
    this.records = records;
  }

  /** Whether there are bodies that are not on roots. */
  get areSome(): boolean {
    return this.kept.size > 0;
  }

  /** Looks through all bodies that the engine has. */
  find(): void {
    const { records, changed } = this;
    const raw = rawLinks(this.context.tree);
    const { indices, parents } = records;
    changed.length = 0;
    this.found = new Map();
    let last = 0;
    let above = aboveRoots;
    for (let number = 1; number < indices.length; number++) {
      const index = indices[number];
      if (index === 0) continue;
      // Below 0 for one that died.
      const parent = Math.max(0, raw.parent(index));
      const isSame = parent === parents[number];
      if (parent === 0 && isSame) continue;
      if (parent !== last) {
        last = parent;
        above = this.at(parent);
      }
      const record = records.at(number) as BodyRecord;
      // Whether it takes anything over is its own, and not its parent's.
      if (above.isNew || !isSame || record.follows !== this.isMoved(record.entity, above))
        changed.push(record);
    }
  }

  /** Whether what is above an entity moves it. */
  isMoved(entity: Entity, above: Above): boolean {
    return above.isMoving && this.context.world.isAlive(entity) && !isCut(this.context, entity);
  }

  /** What is above the children of the entity at an index; 0 is above roots. */
  at(parent: number): Above {
    if (parent === 0) return aboveRoots;
    const known = this.found.get(parent);
    if (known !== undefined) return known;
    const { context } = this;
    const entity = context.tree.world.handleAt(parent) as Entity;
    const isMoving = moverFrom(context, entity) !== null;
    const isOn = isActive(context, entity);
    const before = this.kept.get(parent);
    const isNew = before?.isMoving !== isMoving || before.isActive !== isOn;
    const above = { isMoving, isActive: isOn, isNew };
    this.found.set(parent, above);
    return above;
  }

  /** What was found was carried over. */
  keep(): void {
    this.kept = this.found;
  }
}
