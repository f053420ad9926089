/**
 * What each slot takes over from its parent, and whether its entity has a transform: one byte, so that a pass and the setters
 * need not ask the world.
 */
import { followComponent, grown, INDEX_MASK } from "../../ecs/internal.ts";
import { Ghost, type Hierarchy } from "../../hierarchy/index.ts";
import { type FlatOrder, orderOf, type SlotMoves, treeOf } from "../../hierarchy/internal.ts";
import { type Flow, permute } from "../../inherit/internal.ts";
import { EVERYTHING, flagsOf, GHOST, InheritTransform } from "./inherit-mask.ts";

/** The slot has no entity. */
const EMPTY = 32;
/** The entity of the slot has a transform; stands beside what it takes over. */
const HELD = 64;
/** What a slot takes over, of its byte. */
const TAKES = HELD - 1;

export class LinkFlags {
  private readonly tree: Hierarchy;
  private readonly order: FlatOrder;
  /** What entities take over that have no mask of their own. */
  readonly spaceFlags: number;
  private readonly hasTransform: (node: number) => boolean;
  private bytes = new Uint8Array(0);
  /** How many slots take over something else than everything. */
  specialCount = 0;

  constructor(tree: Hierarchy, spaceFlags: number, hasTransform: (node: number) => boolean) {
    this.tree = tree;
    this.order = orderOf(treeOf(tree));
    this.spaceFlags = spaceFlags;
    this.hasTransform = hasTransform;
  }

  /** Keeps the flags up to date when masks and ghost tags come, change and go. */
  follow(flow: Flow): void {
    const { world } = this.tree;
    const update = (node: number) => {
      const slot = flow.order.slotOf[node];
      flow.claim(slot + 1);
      if (this.update(node, this.hasTransform(node))) flow.mark(slot);
    };
    for (const component of [InheritTransform, Ghost]) {
      followComponent(flow.ecs, component, update);
      for (const entity of world.query(component)) update(entity & INDEX_MASK);
    }
  }

  isHeld(slot: number): boolean {
    return (this.bytes[slot] & HELD) !== 0;
  }

  isEmpty(slot: number): boolean {
    return this.bytes[slot] === EMPTY;
  }

  taken(slot: number): number {
    return this.bytes[slot] & TAKES;
  }

  /** The entity of the slot gets a transform. */
  hold(slot: number, node: number): void {
    const { bytes } = this;
    const before = bytes[slot] === EMPTY ? this.unheld : bytes[slot];
    if (before === EVERYTHING) bytes[slot] = EVERYTHING | HELD;
    else {
      this.set(slot, before);
      this.update(node, true);
    }
  }

  /**
   * Works the flags of a node out again; `true` when they changed.
   * @param held Whether the entity has a transform; one that comes or goes may still be missing or there.
   */
  update(node: number, held: boolean): boolean {
    const { slotOf, nodeAt } = this.order;
    const slot = slotOf[node];
    if (nodeAt[slot] !== node) return false;
    const flags = this.flagsFor(node, held) | (held ? HELD : 0);
    if (this.bytes[slot] === flags) return false;
    this.set(slot, flags);
    return true;
  }

  /** What an entity takes over, with a transform or without. */
  flagsFor(node: number, held: boolean): number {
    const { world } = this.tree;
    const entity = world.handleAt(node);
    if (world.has(entity, Ghost)) return GHOST;
    const own = world.get(entity, InheritTransform);
    const flags = own === undefined ? this.spaceFlags : flagsOf(own);
    // The identity that stands for a missing transform passes everything through, as long as nothing is masked.
    return held || flags === EVERYTHING ? flags : GHOST;
  }

  /** What an entity without a transform and without a mask takes over. */
  private get unheld(): number {
    return this.spaceFlags === EVERYTHING ? EVERYTHING : GHOST;
  }

  private set(slot: number, flags: number): void {
    this.specialCount += (isSpecial(flags) ? 1 : 0) - (isSpecial(this.bytes[slot]) ? 1 : 0);
    this.bytes[slot] = flags;
  }

  // Slots ----------------------------------------------------------------------------------------------------------------

  grow(capacity: number): void {
    const before = this.bytes.length;
    this.bytes = grown(this.bytes, capacity).fill(EMPTY, before);
  }

  move(from: number, to: number): void {
    this.bytes[to] = this.bytes[from];
    this.bytes[from] = EMPTY;
  }

  permute(moves: SlotMoves): void {
    permute(this.bytes, 1, moves);
    this.bytes.fill(EMPTY, moves.count);
  }

  /** The slot has a new entity, which has no transform yet. */
  reset(slot: number): void {
    this.set(slot, this.unheld);
  }

  release(slot: number): void {
    if (this.specialCount !== 0) this.set(slot, EMPTY);
    else this.bytes[slot] = EMPTY;
  }
}

function isSpecial(flags: number): boolean {
  return (flags & TAKES) !== EVERYTHING && flags !== EMPTY;
}
