/**
 * How the user looks at a document: settings, dialogs, the rows that are open, the search, the viewport.
 */
import type { Entity } from "espalier";
import { nextInList } from "espalier/hierarchy";
import type { EditorDocument } from "../document/document.ts";
import { byLabel } from "../document/tree/by-label.ts";
import { type Rows, rowsOf } from "../document/tree/rows.ts";
import { type Found, search } from "../document/tree/search.ts";
import type { ViewportCamera } from "../viewport/viewport-camera.ts";
import type { OpenMenu } from "./menu/menu-item.ts";
import { loadSettings, type Settings, storeSettings } from "./settings.ts";

export type Overlay = "none" | "palette" | "help" | "welcome" | "merge" | "save-as";

/** A field or command that the user is asked to pick an entity for. */
export interface Picking {
  readonly done: (entity: Entity) => void;
}

/** A path in the project that the user is asked for, to save there. */
export interface AskedPath {
  /** What is offered. */
  readonly offered: string;
  /** `null` is a file outside of the project; nothing, that it is not saved. */
  readonly answer: (path: string | null | undefined) => void;
}

/** An element outside of the tree that takes a row which is dragged there. */
export interface EntityDrop {
  readonly element: Element;
  readonly take: (entity: Entity) => void;
}

/** What the user has chosen to see. */
export class ViewState {
  settings: Settings = loadSettings();
  overlay: Overlay = "none";
  picking: Picking | undefined;
  asked: AskedPath | undefined;
  menu: OpenMenu | undefined;
  /** The entity whose row is being renamed. */
  renaming: Entity | undefined;
  searchText = "";
  /** A live world is drawn in the viewport only on request: its game shows it anyway. */
  isViewportShown: boolean;
  /** How the viewport looks at the scene. */
  viewport: { readonly camera: ViewportCamera; readonly isReady: boolean } | undefined;
  /** Asks the viewport to show something: grows with each request. */
  fitWish: { readonly count: number; readonly what: "selection" | "all" } = { count: 0, what: "all" };
  private readonly drops = new Set<EntityDrop>();
  private expanded = new Set<Entity>();
  private branchEntity: Entity | undefined;
  private cachedRows: { key: string; rows: Rows; found: Found | undefined } | undefined;
  private readonly documentOf: () => EditorDocument;
  private readonly changed: () => void;

  /** @param documentOf - The document that is shown. */
  constructor(documentOf: () => EditorDocument, changed: () => void, isViewportShown = true) {
    this.documentOf = documentOf;
    this.changed = changed;
    this.isViewportShown = isViewportShown;
  }

  set(change: Partial<Settings>): void {
    this.settings = { ...this.settings, ...change };
    storeSettings(this.settings);
    this.changed();
  }

  open(overlay: Overlay): void {
    this.overlay = overlay;
    this.changed();
  }

  /** Opens a context menu; closes the one that is open without one. */
  openMenu(menu: OpenMenu | undefined): void {
    this.menu = menu;
    this.changed();
  }

  /** Lets rows be dragged to an element. Returns a function that ends it. */
  offerDrop(drop: EntityDrop): () => void {
    this.drops.add(drop);
    return () => this.drops.delete(drop);
  }

  /** What takes a row at a point of the window. */
  dropAt(x: number, y: number): EntityDrop | undefined {
    const over = globalThis.document.elementFromPoint(x, y);
    return over === null ? undefined : [...this.drops].find(({ element }) => element.contains(over));
  }

  /** Shows an input instead of a name; ends that without an entity. */
  rename(entity: Entity | undefined): void {
    this.renaming = entity;
    if (entity !== undefined) this.reveal(entity);
    this.changed();
  }

  fit(what: "selection" | "all"): void {
    this.fitWish = { count: this.fitWish.count + 1, what };
    this.changed();
  }

  pick(done: Picking["done"] | undefined): void {
    this.picking = done === undefined ? undefined : { done };
    this.changed();
  }

  // The tree as it is shown --------------------------------------------------------------------------------------------

  isExpanded(entity: Entity): boolean {
    return this.expanded.has(entity);
  }

  setExpanded(entities: Iterable<Entity>, isOpen: boolean): void {
    for (const entity of entities) {
      if (isOpen) this.expanded.add(entity);
      else this.expanded.delete(entity);
    }
    this.rowsChanged();
  }

  expandAll(): void {
    const { tree, world } = this.documentOf();
    this.expanded = new Set(world.entities().filter((entity) => tree.firstChild(entity) !== null));
    this.rowsChanged();
  }

  collapseAll(): void {
    this.expanded = new Set();
    this.rowsChanged();
  }

  searchFor(text: string): void {
    this.searchText = text;
    this.rowsChanged();
  }

  /** Closes the siblings of an entity, and leaves it as it is. */
  collapseSiblings(entity: Entity): void {
    const { tree } = this.documentOf();
    const parent = tree.parentOf(entity);
    const siblings: Entity[] = [];
    for (let at = tree.firstChild(parent); at !== null; at = nextInList(tree, at))
      if (at !== entity) siblings.push(at);
    this.setExpanded(siblings, false);
  }

  /** The entity whose subtree is all that the tree shows; nothing when everything is shown. */
  get branch(): Entity | undefined {
    const { branchEntity } = this;
    return branchEntity !== undefined && this.documentOf().world.isAlive(branchEntity)
      ? branchEntity
      : undefined;
  }

  /** Shows only the subtree of an entity, open; everything without one. */
  showBranch(entity: Entity | undefined): void {
    this.branchEntity = entity;
    if (entity === undefined) this.rowsChanged();
    else this.setExpanded([entity], true);
  }

  /** Opens everything above an entity, so that its row is there. What is outside of the branch that is shown stays out of view. */
  reveal(entity: Entity): void {
    const { tree } = this.documentOf();
    const { branch } = this;
    if (branch !== undefined && branch !== entity && !tree.isAncestor(branch, entity)) return;
    const above = [...tree.ancestors(entity)].filter((up) => !this.expanded.has(up));
    if (above.length > 0) this.setExpanded(above, true);
  }

  /** What the tree panel shows. Computed again only when the tree, what is open or the search changed. */
  get shown(): { readonly rows: Rows; readonly found: Found | undefined } {
    const { searchText, branch } = this;
    const { sortByName } = this.settings;
    const document = this.documentOf();
    const namesCount = searchText !== "" || sortByName;
    const key = `${document.structure} ${branch} ${sortByName} ${searchText} ${namesCount ? document.revision : ""}`;
    if (this.cachedRows?.key === key) return this.cachedRows;
    const found = search(document, searchText, branch);
    const rows = rowsOf(document.tree, {
      isExpanded: found === undefined ? (entity) => this.expanded.has(entity) : () => true,
      shown: found?.shown,
      branch,
      ...(sortByName ? { compare: byLabel(document) } : {}),
    });
    this.cachedRows = { key, rows, found };
    return this.cachedRows;
  }

  /** Another document with the same entities is shown. */
  forgetRows(): void {
    this.cachedRows = undefined;
    this.picking = undefined;
    this.menu = undefined;
    this.renaming = undefined;
  }

  /** Another document is shown: its roots are open. */
  startOver(): void {
    const { tree } = this.documentOf();
    this.expanded = new Set([...tree.roots()].filter((root) => tree.childCount(root) > 0));
    this.searchText = "";
    this.branchEntity = undefined;
    this.forgetRows();
    this.fit("all");
  }

  private rowsChanged(): void {
    this.cachedRows = undefined;
    this.changed();
  }
}
