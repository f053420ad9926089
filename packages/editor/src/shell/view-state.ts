/**
 * The user's view of a document: settings, dialogs, expanded rows, the search, the viewport.
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

/** A field or command for which the user is to pick an entity. */
export interface Picking {
  readonly done: (entity: Entity) => void;
}

/** A request to the user for a path in the project, to save there. */
export interface AskedPath {
  /** The suggested path. */
  readonly offered: string;
  /** `null` means a file outside of the project; `undefined`, that the user cancelled. */
  readonly answer: (path: string | null | undefined) => void;
}

/** An element outside of the tree that accepts dragged rows. */
export interface EntityDrop {
  readonly element: Element;
  readonly take: (entity: Entity) => void;
}

/** The view of the user. */
export class ViewState {
  settings: Settings = loadSettings();
  overlay: Overlay = "none";
  picking: Picking | undefined;
  asked: AskedPath | undefined;
  menu: OpenMenu | undefined;
  /** The entity whose row is being renamed. */
  renaming: Entity | undefined;
  searchText = "";
  /** Whether the viewport is shown. For a live world only on request: its game shows it anyway. */
  isViewportShown: boolean;
  /** The camera of the viewport. */
  viewport: { readonly camera: ViewportCamera; readonly isReady: boolean } | undefined;
  /** A request to the viewport to fit something; `count` is incremented with each request. */
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

  /** Opens a context menu; without one, closes the open menu. */
  openMenu(menu: OpenMenu | undefined): void {
    this.menu = menu;
    this.changed();
  }

  /** Registers an element as a drop target for rows. Returns a function that removes it. */
  offerDrop(drop: EntityDrop): () => void {
    this.drops.add(drop);
    return () => this.drops.delete(drop);
  }

  /** The drop target for rows at a point of the window. */
  dropAt(x: number, y: number): EntityDrop | undefined {
    const over = globalThis.document.elementFromPoint(x, y);
    return over === null ? undefined : [...this.drops].find(({ element }) => element.contains(over));
  }

  /** Shows an input instead of a name; without an entity, ends renaming. */
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

  /** Collapses the siblings of an entity, but not the entity. */
  collapseSiblings(entity: Entity): void {
    const { tree } = this.documentOf();
    const parent = tree.parentOf(entity);
    const siblings: Entity[] = [];
    for (let at = tree.firstChild(parent); at !== null; at = nextInList(tree, at))
      if (at !== entity) siblings.push(at);
    this.setExpanded(siblings, false);
  }

  /** The entity whose subtree alone is shown; `undefined` when everything is shown. */
  get branch(): Entity | undefined {
    const { branchEntity } = this;
    return branchEntity !== undefined && this.documentOf().world.isAlive(branchEntity)
      ? branchEntity
      : undefined;
  }

  /** Shows only the subtree of an entity, expanded; without one, everything. */
  showBranch(entity: Entity | undefined): void {
    this.branchEntity = entity;
    if (entity === undefined) this.rowsChanged();
    else this.setExpanded([entity], true);
  }

  /** Expands the ancestors of an entity, so that it has a row. Entities outside of the shown branch stay hidden. */
  reveal(entity: Entity): void {
    const { tree } = this.documentOf();
    const { branch } = this;
    if (branch !== undefined && branch !== entity && !tree.isAncestor(branch, entity)) return;
    const above = [...tree.ancestors(entity)].filter((up) => !this.expanded.has(up));
    if (above.length > 0) this.setExpanded(above, true);
  }

  /** What the tree panel shows. Recomputed only when the tree, the expanded rows or the search changed. */
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

  /** Called when another document with the same entities is shown. */
  forgetRows(): void {
    this.cachedRows = undefined;
    this.picking = undefined;
    this.menu = undefined;
    this.renaming = undefined;
  }

  /** Called when another document is shown: expands its roots. */
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
