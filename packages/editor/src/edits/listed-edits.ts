/** What people and programs did to a scene file, and the branches of it, as the server lists them. */

/** An edit that verbs made to a scene file, from its journal. */
export interface ListedEdit {
  /** The token to undo it with. */
  readonly token: string;
  /** The person or program; `null` where none is known. */
  readonly author: string | null;
  /** The author's reason. */
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

/** Lists edits and branches of files, undoes edits and accepts branches. Provided by the command line; paths are absolute. */
export interface EditKeeper {
  /** Lists what is known of a scene file. */
  list(file: string): Promise<FileEdits>;
  /** Undoes one edit alone. Refuses, naming the edits that depend on it, where that is impossible. */
  undo(file: string, token: string): Promise<void>;
  /** Applies the changes of a branch: those of these entities, or all if none is named. */
  accept(file: string, branch: string, entities: readonly string[]): Promise<void>;
}
