/** What people and programs did to a scene file, and the branches of it, as the server lists them. */

/** An edit that verbs made to a scene file, from its journal. */
export interface ListedEdit {
  /** What it is undone by. */
  readonly token: string;
  /** The person or program; `null` where none is known. */
  readonly author: string | null;
  /** Why, in words of the author. */
  readonly reason: string | null;
  /** What changed, a line for each change. */
  readonly text: string;
  /** Whether a later edit took it back. */
  readonly isUndone: boolean;
}

/** What differs in one entity of a branch. */
export interface ListedDifference {
  /** The id of the entity. */
  readonly entity: string;
  /** Names from the root to it. */
  readonly path: string;
  /** What changed, a line for each change. */
  readonly text: string;
}

/** A copy of a scene that a person or an agent works on. */
export interface ListedBranch {
  /** The name of the branch. */
  readonly name: string;
  /** What was done there, by entity. */
  readonly differences: readonly ListedDifference[];
}

/** Everything that is known of a file. */
export interface FileEdits {
  /** The edits, the first one first. */
  readonly edits: readonly ListedEdit[];
  /** The branches by name. */
  readonly branches: readonly ListedBranch[];
}

/** Lists edits and branches of files, and takes them back or over. The command line gives it; paths are absolute. */
export interface EditKeeper {
  /** Lists what is known of a scene file. */
  list(file: string): Promise<FileEdits>;
  /** Undoes one edit alone. Refuses, with the edits that depend on it, where that cannot be. */
  undo(file: string, token: string): Promise<void>;
  /** Takes over what was done on a branch: to these entities, or everything where none is named. */
  accept(file: string, branch: string, entities: readonly string[]): Promise<void>;
}
