/**
 * One entity as an object, for people who think in objects: `tank.x += 5`, `turret.parent = tank`.
 *
 * It holds only the entity's number; every property is a call of a lower room. After the entity was destroyed
 * every use throws an error with its former name. Unknown properties cannot be written: such a value would neither be
 * saved nor undone, and a misspelled name would do nothing.
 */
import {
  type AnyComponent,
  type Component,
  type ComponentInit,
  type Entity,
  type EntityLike,
  type InputOf,
  inspect,
  MissingComponentError,
  Props,
  type Schema,
  type ValueOf,
  type World,
} from "../ecs/index.ts";
import type {
  EntityEvent,
  EntityEventHandler,
  EntityEventKind,
  EntityEvents,
  HandlerOptions,
  Hierarchy,
  PayloadArgument,
} from "../hierarchy/index.ts";
import { Active, HIDDEN, INHERIT, type Inherited, Visibility } from "../inherit/index.ts";
import { type Affine2D, type Point, rawTransforms, type Transforms2D } from "../transform/index.ts";
import { GoneEntityError, ReadOnlyPropertyError, UnknownPropertyError } from "./errors.ts";
import { KnownProperties } from "./known-properties.ts";
import { suggest } from "./nearest.ts";
import { createProps } from "./props.ts";

/** What entity objects need from the game. */
export interface EntityHost {
  readonly world: World;
  readonly tree: Hierarchy;
  readonly space: Transforms2D;
  readonly events: EntityEvents;
  readonly visible: Pick<Inherited<never, boolean>, "of">;
  readonly active: Pick<Inherited<never, boolean>, "of">;
  entity(id: EntityLike): EntityObject;
}

/** The properties that every entity object has, in the order in which they are listed. */
const ownProperties = [
  "id",
  "name",
  "parent",
  "children",
  "x",
  "y",
  "rotation",
  "scaleX",
  "scaleY",
  "hidden",
  "isActive",
  "absolutePosition",
  "absoluteRotation",
  "absoluteTransform",
  "isVisible",
  "isActiveInTree",
  "props",
] as const;

const inspectSymbol = Symbol.for("nodejs.util.inspect.custom");

/** One entity as an object with methods. */
export class EntityObject extends KnownProperties {
  /** The only own property, by which tests and tools that compare objects distinguish entities. */
  private readonly handle: Entity;
  readonly #host: EntityHost;
  // Taken from the host to save a lookup: a property must cost little more than the call it makes.
  readonly #world: World;
  readonly #tree: Hierarchy;
  readonly #space: Transforms2D;
  /** Its label when it was destroyed, for errors; in development builds. */
  #lastLabel: string | undefined;
  #freeForm: Record<string, unknown> | undefined;
  /** The parent as last read: usually still the same, and found without a lookup. */
  #lastParent: EntityObject | undefined;

  /** @internal Use `game.entity(id)`. */
  constructor(host: EntityHost, id: Entity) {
    super();
    this.#host = host;
    this.#world = host.world;
    this.#tree = host.tree;
    this.#space = host.space;
    this.handle = id;
    Object.freeze(this);
  }

  /** The handle of the entity, which the lower rooms take. */
  get id(): Entity {
    return this.handle;
  }

  set id(_: never) {
    this.refuse("id", "Keep the other object instead.", "it is the handle of its entity");
  }

  /** Its world. Calls of other worlds refuse the object. */
  get world(): World {
    return this.#world;
  }

  set world(_: never) {
    this.refuse(
      "world",
      "Save it as a scene and load that into the other world.",
      "an entity stays in its world",
    );
  }

  /** Whether the entity is alive. The only property that never throws. */
  get isAlive(): boolean {
    return this.#world.isAlive(this.handle);
  }

  set isAlive(_: never) {
    this.refuse("isAlive", "Use destroy().");
  }

  // The tree ---------------------------------------------------------------------------------------------------------------

  /** Its name in the tree. */
  get name(): string | undefined {
    return this.#tree.nameOf(this.alive("read the name"));
  }

  set name(name: string | undefined) {
    this.#tree.setName(this.alive("set the name"), name);
  }

  get parent(): EntityObject | null {
    const parent = this.#tree.parentOf(this.alive("read the parent"));
    if (parent === null) return null;
    const last = this.#lastParent;
    if (last !== undefined && last.id === parent) return last;
    this.#lastParent = this.#host.entity(parent);
    return this.#lastParent;
  }

  /** Puts it under another parent, keeping its local values; `null` makes it a root. */
  set parent(parent: EntityLike | null) {
    this.#tree.attach(this.alive("set the parent"), parent);
  }

  /** The children, in order. A new array; writing to it changes nothing. */
  get children(): readonly EntityObject[] {
    return this.#tree.childrenOf(this.alive("read the children")).map((child) => this.#host.entity(child));
  }

  set children(_: never) {
    this.refuse("children", "Use child.parent = …, or tree.attach().");
  }

  /**
   * Creates a child.
   *
   * @example
   * ```ts
   * const game = createGame();
   * const tank = game.spawn(game.space.at(100, 0));
   * const turret = tank.spawn(game.space.at(0, 20));
   * turret.absolutePosition; // → { x: 100, y: 20 }
   * ```
   */
  spawn(...components: ComponentInit[]): EntityObject {
    return this.#host.entity(this.#tree.attachNew(this.alive("spawn a child"), ...components));
  }

  /** Destroys it with everything below it. `false` when it is already destroyed. */
  destroy(): boolean {
    return this.#tree.destroy(this.handle);
  }

  // Position ---------------------------------------------------------------------------------------------------------------

  /** The x relative to the parent. */
  get x(): number {
    return this.local(0);
  }

  set x(x: number) {
    this.#space.setPosition(this.alive("set x"), x, this.local(1));
  }

  /** The y relative to the parent. */
  get y(): number {
    return this.local(1);
  }

  set y(y: number) {
    this.#space.setPosition(this.alive("set y"), this.local(0), y);
  }

  /** The rotation in radians, positive from +x towards +y. */
  get rotation(): number {
    return this.local(2);
  }

  set rotation(rotation: number) {
    this.#space.setRotation(this.alive("set the rotation"), rotation);
  }

  /** The scale along its own x axis. */
  get scaleX(): number {
    return this.local(3);
  }

  set scaleX(scaleX: number) {
    this.#space.setScale(this.alive("set the scale"), scaleX, this.local(4));
  }

  /** The scale along its own y axis. */
  get scaleY(): number {
    return this.local(4);
  }

  set scaleY(scaleY: number) {
    this.#space.setScale(this.alive("set the scale"), this.local(3), scaleY);
  }

  /** Sets its position relative to its parent. */
  setPosition(x: number, y: number): void {
    this.#space.setPosition(this.alive("set the position"), x, y);
  }

  /** Sets its position in the world. */
  setWorldPosition(x: number, y: number): void {
    this.#space.setWorldPosition(this.alive("set the position"), x, y);
  }

  /** Its position in the world, computed from its own position and the transforms of its ancestors. */
  get absolutePosition(): Point {
    return this.#space.worldPosition(this.alive("read the position"));
  }

  set absolutePosition(_: never) {
    this.refuse("absolutePosition", "Use setWorldPosition(x, y).");
  }

  /** Its rotation in the world, in radians. */
  get absoluteRotation(): number {
    return this.#space.worldRotation(this.alive("read the rotation"));
  }

  set absoluteRotation(_: never) {
    this.refuse("absoluteRotation", "Use game.setWorldRotation(entity, angle).");
  }

  /** The matrix from it to the world. */
  get absoluteTransform(): Affine2D {
    return this.#space.worldOf(this.alive("read the transform"));
  }

  set absoluteTransform(_: never) {
    this.refuse("absoluteTransform", "Use game.setWorldTransform(entity, matrix).");
  }

  // Switches ---------------------------------------------------------------------------------------------------------------

  /** Whether it is hidden by its own component. Its descendants are hidden with it, unless they override it. */
  get hidden(): boolean {
    return this.#world.get(this.alive("read hidden"), Visibility)?.mode === HIDDEN;
  }

  set hidden(hidden: boolean) {
    put(this.#world, this.alive("set hidden"), Visibility, { mode: hidden ? HIDDEN : INHERIT });
  }

  /** Whether it is visible, taking its ancestors into account. */
  get isVisible(): boolean {
    return this.#host.visible.of(this.alive("read isVisible"));
  }

  set isVisible(_: never) {
    this.refuse("isVisible", "Use hidden = true or false.");
  }

  /** Whether it is active by its own component. */
  get isActive(): boolean {
    return this.#world.get(this.alive("read isActive"), Active)?.on ?? true;
  }

  set isActive(on: boolean) {
    put(this.#world, this.alive("set isActive"), Active, { on });
  }

  /** Whether it and all its ancestors are active. */
  get isActiveInTree(): boolean {
    return this.#host.active.of(this.alive("read isActiveInTree"));
  }

  set isActiveInTree(_: never) {
    this.refuse("isActiveInTree", "Use isActive = true or false.");
  }

  // Components -------------------------------------------------------------------------------------------------------------

  /**
   * A copy of the values of a component.
   * @throws MissingComponentError when it has none; `find` returns `undefined` instead.
   */
  get<S extends Schema>(component: Component<S>): ValueOf<S> {
    const values = this.#world.get(this.alive("read a component"), component);
    if (values !== undefined) return values;
    throw new MissingComponentError(
      `Cannot read ${component.name} of ${this}: it has none. Add it with add(), or use find().`,
      { entities: [this.handle], component: component.name },
    );
  }

  /** A copy of the values of a component, or `undefined` if it does not have it. */
  find<S extends Schema>(component: Component<S>): ValueOf<S> | undefined {
    return this.#world.get(this.alive("read a component"), component);
  }

  /** Writes some fields of a component it has. */
  set<S extends Schema>(component: Component<S>, values: InputOf<S>): this {
    this.#world.set(this.alive("set a component"), component, values);
    return this;
  }

  /** Adds components, or sets those that it already has. */
  add(...components: ComponentInit[]): this {
    this.#world.add(this.alive("add components"), ...components);
    return this;
  }

  /** Removes components. `false` when it has none of them. */
  remove(...components: AnyComponent[]): boolean {
    return this.#world.remove(this.alive("remove components"), ...components);
  }

  /** Whether it has all of these components. */
  has(...components: AnyComponent[]): boolean {
    return this.#world.has(this.alive("ask for components"), ...components);
  }

  /** Free-form values that need no component of their own; stored in the component `Props`. */
  get props(): Record<string, unknown> {
    this.#freeForm ??= createProps(this.#world, () => this.alive("use the props"));
    return this.#freeForm;
  }

  set props(_: never) {
    this.refuse("props", "Write its members: entity.props.name = value.");
  }

  /** The names of its own properties, its components and its free-form values. */
  propertyNames(): string[] {
    const world = this.#world;
    const id = this.alive("list the properties");
    const components = inspect(world, id).components.map(({ name }) => name);
    return [...ownProperties, ...components, ...Object.keys(world.get(id, Props)?.values ?? {})];
  }

  // Events -----------------------------------------------------------------------------------------------------------------

  /** Handles events that happen to it or below it, until it is destroyed. Returns the function that removes the handler. */
  on<Payload>(
    kind: EntityEventKind<Payload>,
    handler: EntityEventHandler<Payload>,
    options?: HandlerOptions,
  ): () => void {
    return this.#host.events.on(this.alive("handle events"), kind, handler, options);
  }

  /** Sends it an event, which bubbles to its ancestors. */
  emit<Payload>(kind: EntityEventKind<Payload>, ...payload: PayloadArgument<Payload>): EntityEvent<Payload> {
    return this.#host.events.emit(this.alive("send an event"), kind, ...payload);
  }

  // ------------------------------------------------------------------------------------------------------------------------

  /** `tank#12`; after it was destroyed, its former label. */
  override toString(): string {
    if (this.isAlive) return this.#tree.label(this.handle);
    return `${this.#lastLabel ?? `#${this.handle}`} (destroyed)`;
  }

  /** Its label, so that logs stay short. */
  toJSON(): string {
    return this.toString();
  }

  [inspectSymbol](): string {
    return this.toString();
  }

  /** Called when the entity is destroyed, in development builds. @internal */
  leave(): void {
    this.#lastLabel = this.#tree.label(this.handle);
  }

  private local(field: number): number {
    const raw = rawTransforms(this.#space);
    return raw.locals[raw.rowOf(this.alive("read the position")) + field];
  }

  private alive(doing: string): Entity {
    if (this.#world.isAlive(this.handle)) return this.handle;
    const label = this.#lastLabel ?? `#${this.handle}`;
    throw new GoneEntityError(
      `Cannot ${doing} of ${label}: it was destroyed. Check isAlive first, or drop the object when its entity is destroyed.`,
      { entities: [this.handle], label },
    );
  }

  private refuse(property: string, instead: string, why = "it follows from other values"): never {
    throw new ReadOnlyPropertyError(`Cannot set ${property} of ${this}: ${why}. ${instead}`, {
      entities: [this.handle],
      property,
    });
  }

  /** Custom values belong into components and `props`, which are saved, undone and destroyed with the entity. @internal */
  refuseUnknown(property: string): never {
    const doing = `set ${property}`;
    const id = this.alive(doing);
    const named = this.#world.componentNamed(property);
    const isProp = Object.hasOwn(this.#world.get(id, Props)?.values ?? {}, property);
    const instead =
      named !== undefined
        ? `Use set(${property}, { … }) for the component.`
        : isProp
          ? `Use props.${property}.`
          : `${suggest(property, ownProperties, "properties")} Values of your own go into a component or into props.`;
    throw new UnknownPropertyError(
      `Cannot ${doing} of ${this}: entity objects have no such property. ${instead}`,
      { entities: [id], property },
    );
  }
}

function put<S extends Schema>(world: World, id: Entity, component: Component<S>, values: InputOf<S>): void {
  if (world.has(id, component)) world.set(id, component, values);
  else world.add(id, component(values));
}
