/**
 * The edits and branches of the scene that is open, and the entities that differ in the shown branch.
 */
import type { Entity } from "espalier";
import type { EditorDocument } from "../document/document.ts";
import type { EditKeeper, FileEdits, ListedDifference } from "./listed-edits.ts";

const none: FileEdits = { edits: [], branches: [] };
const noDifferences: readonly ListedDifference[] = [];

/** The edits and branches of the open file. */
export class EditList {
  /** The edits and branches, as last read. */
  now: FileEdits = none;
  /** Stores the edits, if the page comes from a server that does so. */
  readonly keeper: EditKeeper | undefined;
  /** The branch whose difference is shown in the tree and in the viewport. */
  shown: string | undefined;
  private readonly documentOf: () => EditorDocument;
  private readonly changed: () => void;
  private path: string | undefined;
  /** The ids of `marked`, and the differences they were computed from: rows of the tree ask for each entity. */
  private ids: ReadonlySet<string> = new Set();
  private idsOf: readonly ListedDifference[] = noDifferences;

  /** @param documentOf - Returns the document whose file is meant. */
  constructor(keeper: EditKeeper | undefined, documentOf: () => EditorDocument, changed: () => void) {
    this.keeper = keeper;
    this.documentOf = documentOf;
    this.changed = changed;
  }

  /** Whether the shown branch changes an entity of the scene. */
  isMarked(entity: Entity): boolean {
    if (this.shown === undefined) return false;
    const id = this.documentOf().scene?.idOf(entity);
    return id !== undefined && this.markedIds().has(id);
  }

  /** The entities of the scene that the shown branch changes. */
  marked(): readonly Entity[] {
    const { scene } = this.documentOf();
    const found = this.differences().map(({ entity }) => scene?.find(entity));
    return found.filter((entity) => entity !== undefined);
  }

  /** Shows the difference of a branch in the tree and in the viewport, or of none. */
  show(branch: string | undefined): void {
    this.shown = branch;
    this.changed();
  }

  /** Reads the list again. @returns whether there are edits of this file that were not known before. */
  async refresh(): Promise<boolean> {
    const { path } = this.documentOf().origin;
    if (this.keeper === undefined || path === undefined) return false;
    const before = this.path === path ? this.now.edits.length : undefined;
    try {
      this.now = await this.keeper.list(path);
    } catch {
      // A file that cannot be read is reported where it is opened.
      this.now = none;
    }
    this.path = path;
    if (!this.now.branches.some(({ name }) => name === this.shown)) this.shown = undefined;
    this.changed();
    return before !== undefined && this.now.edits.length > before;
  }

  private differences(): readonly ListedDifference[] {
    return this.now.branches.find(({ name }) => name === this.shown)?.differences ?? noDifferences;
  }

  private markedIds(): ReadonlySet<string> {
    const differences = this.differences();
    if (this.idsOf !== differences) {
      this.idsOf = differences;
      this.ids = new Set(differences.map(({ entity }) => entity));
    }
    return this.ids;
  }
}
