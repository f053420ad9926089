/**
 * Everything a hierarchy holds, in one object. The functions of this room read and change it; `Hierarchy` is what users see of it.
 */
import { createPackedChannel, type Entity, type PackedChannel, type World } from "../ecs/index.ts";
import { DEVELOPMENT, stateOf, type WorldState } from "../ecs/internal.ts";
import type { HierarchyEvent } from "./events/events.ts";
import { Notices } from "./events/notices.ts";
import { decodeEvent, EVENT_WIDTH, entitiesInEvent } from "./events/packed-events.ts";
import type { Depths } from "./links/depths.ts";
import { LinkedLinks } from "./links/linked-links.ts";
import type { Dependents, Links } from "./links/links.ts";
import { Names } from "./names/names.ts";
import { checkHierarchyOptions, type DestroyPolicy, type HierarchyOptions, optionKinds } from "./options.ts";
import { FlatOrder } from "./order/flat-order.ts";
import { SiblingIndex } from "./order/sibling-index.ts";
import type { Constraint } from "./rules/constraints.ts";
import { requireFreeName, type TreeReversible } from "./trees.ts";
import { WalkList } from "./walks/walk-list.ts";

/** Gets the node that moved, its former parent and its new one: 0 for none, -1 for not being in the tree. */
export type LinkListener = (child: number, from: number, to: number) => void;

/**
 * Knows how to keep something when `child` gets another parent: computes, before anything changes, what to do after.
 * May throw to refuse the change. What it returns is called when the whole call is done, and may change the world.
 */
export type Keeper = (child: Entity, parent: Entity | null) => () => void;

/** What a call chose for the children of one node that it destroys, instead of what the hierarchy says. */
export interface ChosenPolicy {
  readonly node: number;
  readonly policy: DestroyPolicy;
  readonly keep: string | undefined;
  /** Whether what that call destroys is being listed, and not what another one does that an observer made. */
  isListing: boolean;
}

export class TreeState {
  readonly world: World;
  /** The state of the world. */
  readonly ecs: WorldState;
  readonly name: string;
  readonly options: HierarchyOptions;
  readonly onDestroy: DestroyPolicy;
  /** What calls take, where the spelling of options is checked: only while a program is written. */
  readonly optionKinds: typeof optionKinds | undefined;
  /** Grows with every change of structure. */
  version = 0;

  readonly links: Links;
  readonly names: Names;
  readonly positions: SiblingIndex;
  /** Where depths are limited. */
  readonly depths: Depths | undefined;
  /** Maintained once first used; see `orderOf`. */
  order: FlatOrder | undefined = undefined;
  /** What structures derived from this tree keep, each under a name of its own. */
  readonly attachments = new Map<unknown, unknown>();
  /** While a step is undone: parents that hold one child more than their fixed array is for. */
  readonly overfull = new Set<number>();

  // Rules ----------------------------------------------------------------------------------------------------------------

  constraints: readonly Constraint[] = [];
  /** Whether cycles are the only thing that can be refused. */
  isPlain: boolean;
  /** What `{ keep: name }` means. */
  readonly keepers = new Map<string, Keeper>();

  // Listeners ------------------------------------------------------------------------------------------------------------

  readonly dependents: Dependents = { count: 0 };
  readonly walks: WalkList;
  readonly events: PackedChannel<HierarchyEvent>;
  /** Whether the events have readers. */
  isRead = false;
  readonly notices: Notices;
  linkListeners: readonly LinkListener[] = [];
  /** Called before anything is destroyed. */
  destroyingListeners: readonly ((entity: Entity) => void)[] = [];
  /** In the record of changes, this stands for the hierarchy. */
  readonly reversible: TreeReversible;

  // During a call --------------------------------------------------------------------------------------------------------

  /** The parent and the next sibling of the next entity that is created; set by `attachNew`. */
  nextParent = 0;
  nextBefore = 0;
  /** The parent by which constraints judge the components of `guardedNode`, or (0) of the next entity that is created. */
  guardedParent = 0;
  guardedNode = 0;
  /** The choice of the call under way. */
  chosen: ChosenPolicy | undefined = undefined;
  /** The children that visits of small families have yet to visit, one family behind the other; see `visit-family.ts`. */
  readonly families: Entity[] = [];
  familiesEnd = 0;
  /** The nodes that a call is going to destroy, while they are being listed; only where some may live on. */
  readonly falling = new Set<number>();
  /** While a call moves several: the parents whose order it changed. One event per parent when it is done. */
  reordering: Set<number> | undefined = undefined;

  // Between calls --------------------------------------------------------------------------------------------------------

  /** Roots whose tree was warned of. */
  readonly warnedRoots = new Set<Entity>();
  /** How many nodes were walked over along the links since the tree was `walkedVersion`. */
  walkedNodes = 0;
  walkedVersion = 0;

  constructor(
    world: World,
    options: HierarchyOptions,
    reverse: (t: TreeState, entity: Entity | null, from: number, following: number, extra: unknown) => void,
    finishReverse: (t: TreeState) => void,
  ) {
    const ecs = stateOf(world);
    ecs.requireUsable("create a hierarchy");
    checkHierarchyOptions(ecs.checks, options);
    this.world = world;
    this.ecs = ecs;
    this.options =
      options.links === undefined ? options : { ...options, maxChildren: options.links.maxChildren };
    this.name = options.name ?? "tree";
    requireFreeName(ecs, this.name);
    this.onDestroy = options.onDestroy ?? "cascade";
    this.optionKinds = DEVELOPMENT && ecs.checks ? optionKinds : undefined;
    const { capacity } = ecs.table;
    const { dependents } = this;
    this.links = options.links?.createLinks(capacity) ?? new LinkedLinks(capacity);
    this.walks = new WalkList(dependents);
    this.positions = new SiblingIndex(this.links, dependents);
    this.names = new Names(this.links, options.uniqueNames ?? false, dependents);
    this.isPlain = hasNoRules(this);
    this.depths = options.limits?.createDepths(this.links);
    if (this.depths !== undefined) dependents.count++;
    this.events = createPackedChannel(world, `${this.name} events`, {
      width: EVENT_WIDTH,
      decode: decodeEvent,
      entitiesIn: entitiesInEvent,
      largerBy: `createHierarchy() a larger ${options.eventCapacity === undefined ? "eventBytes" : "eventCapacity"}`,
      ...(options.eventCapacity === undefined ? {} : { capacity: options.eventCapacity }),
      ...(options.eventBytes === undefined ? {} : { maxBytes: options.eventBytes }),
      onReaders: (count) => {
        this.isRead = count > 0;
      },
    });
    this.notices = new Notices(ecs, this.links, dependents);
    this.reversible = {
      isTree: true,
      reverse: (entity, from, following, extra) => reverse(this, entity, from, following, extra),
      finish: () => finishReverse(this),
    };
  }
}

/** Whether cycles are the only thing that can be refused. */
export function hasNoRules({ options, constraints }: TreeState): boolean {
  const { maxChildren, limits, uniqueNames } = options;
  return maxChildren === undefined && limits?.max === undefined && !uniqueNames && constraints.length === 0;
}

/** The parents-first order, kept up to date from the first call on. */
export function orderOf(t: TreeState): FlatOrder {
  const { table } = t.ecs;
  t.order ??= new FlatOrder(t.links, table.capacity, table.fixed);
  return t.order;
}
