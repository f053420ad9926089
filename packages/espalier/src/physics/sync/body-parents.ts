/**
 * Bodies that are not on roots: whether their ancestors move them, and whether these are active.
 *
 * Many bodies are below few folders, and the tree changes in most steps of a game. So ancestors are looked up once per
 * parent, and only bodies with another parent, or whose parent has another effect, are checked further.
 */
import type { Entity } from "../../ecs/index.ts";
import { rawLinks } from "../../hierarchy/index.ts";
import { type Context, isActive, isCut, moverFrom } from "../context.ts";
import type { BodyRecord, BodyRecords } from "./body-records.ts";

/** The effect of a parent on the bodies below it. */
interface Above {
  readonly isMoving: boolean;
  readonly isActive: boolean;
  /** Whether the effect differs from the last time. */
  readonly isNew: boolean;
}

const aboveRoots: Above = { isMoving: false, isActive: true, isNew: false };

export class BodyParents {
  /** Bodies to check, as of the last `find`. */
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

  /** Checks all bodies of the engine. */
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
      // Below 0 for a dead entity.
      const parent = Math.max(0, raw.parent(index));
      const isSame = parent === parents[number];
      if (parent === 0 && isSame) continue;
      if (parent !== last) {
        last = parent;
        above = this.at(parent);
      }
      const record = records.at(number) as BodyRecord;
      // Whether it inherits anything depends on the body itself, not on its parent.
      if (above.isNew || !isSame || record.follows !== this.isMoved(record.entity, above))
        changed.push(record);
    }
  }

  /** Whether an ancestor moves an entity. */
  isMoved(entity: Entity, above: Above): boolean {
    return above.isMoving && this.context.world.isAlive(entity) && !isCut(this.context, entity);
  }

  /** The effect of the entity at an index on its children; 0 stands for the parent of roots. */
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

  /** Called when the findings were applied. */
  keep(): void {
    this.kept = this.found;
  }
}
