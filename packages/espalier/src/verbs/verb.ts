/**
 * A verb: a name, its parameters, and a function that runs it.
 */
import type { AnyComponent, Entity, World } from "../ecs/index.ts";
import type { Hierarchy } from "../hierarchy/index.ts";
import type { Json, Scene, SceneFile, SceneFormat } from "../scene/index.ts";
import type { SceneDocument } from "./document.ts";
import type { ParameterSchemas } from "./parameters/schema.ts";
import type { FileEdit } from "./waiting-edits.ts";

/** Something to consider about a change. */
export interface VerbWarning {
  /** What kind of warning it is, for programs: `"lost-reference"`. */
  readonly code: string;
  /** The warning as a sentence. */
  readonly message: string;
  /** The id of the entity it is about. */
  readonly entity?: string;
}

/** The context in which a verb runs. */
export interface VerbContext {
  /** The document that it runs on. */
  readonly document: SceneDocument;
  /** The scene of the document. */
  readonly scene: Scene;
  /** The hierarchy that the scene is in. */
  readonly tree: Hierarchy;
  /** The world that the scene is in. */
  readonly world: World;
  /** The format of the document. */
  readonly format: SceneFormat;
  /** Resolves a reference to an entity. @throws VerbError `verbs/unknown-entity`, `verbs/ambiguous-path` */
  readonly find: (reference: string) => Entity;
  /** The id of an entity; one without gets one. */
  readonly idOf: (entity: Entity) => string;
  /** Gives an id to everything new, so that later steps of a batch can name it. */
  readonly giveIds: () => void;
  /** The current scene as a flat file. */
  readonly file: () => SceneFile;
  /** Makes the scene equal to a file. @throws SceneError when it does not load. */
  readonly reload: (file: SceneFile) => void;
  /** Edits the content of the file about one entity. In a batch the edit may wait; all other members here apply waiting edits first. */
  readonly edit: (edit: FileEdit) => void;
  /**
   * The entity of a reference and its id, for `edit`: no edit of this entity waits, edits of other entities may. `has`, `pathOf` and
   * `isTaken` are accurate for it.
   * @throws VerbError `verbs/unknown-entity`, `verbs/ambiguous-path`
   */
  readonly entry: (reference: string) => { readonly entity: Entity; readonly id: string };
  /** The id of a parent, whose creation may be waiting; `undefined` for `null`. @throws VerbError as `entry` */
  readonly parentId: (reference: string | null) => string | undefined;
  /** Whether an entity of `entry` has a component. */
  readonly has: (entity: Entity, component: AnyComponent) => boolean;
  /** The path of an entity of `entry`, for messages. */
  readonly pathOf: (entity: Entity) => string;
  /** Whether an id is taken, including by waiting edits. */
  readonly isTaken: (id: string) => boolean;
  /** Sets the text of a prefab file, which is written with the scene; `null` deletes it. `before` is its text on disk. */
  readonly writePrefab: (file: string, text: string | null, before: string | null) => void;
  /** Records that this run undoes an edit. */
  readonly markUndone: (token: string) => void;
  /** Adds a warning to the result. */
  readonly warn: (warning: VerbWarning) => void;
}

/** A verb of scenes: its name, its parameters as a schema, and its function. */
export interface Verb<Parameters extends object, Output extends Json = Json> {
  /** The name by which it is called, also on the command line and as a tool. */
  readonly name: string;
  /** Additional names on the command line. */
  readonly aliases: readonly string[];
  /** What it does, in one line. */
  readonly summary: string;
  /** Whether it never changes anything. */
  readonly isReadOnly: boolean;
  /** Its parameters. */
  readonly parameters: ParameterSchemas<keyof Parameters & string>;
  /** The parameters that cannot be left out. */
  readonly required: readonly (keyof Parameters & string)[];
  /** The parameters that follow the file on the command line without a name, in this order. */
  readonly operands: readonly (keyof Parameters & string)[];
  /** Runs it. */
  readonly run: (context: VerbContext, parameters: Parameters) => Output;
}

/** A verb whose parameters are unknown to the compiler. */
export interface AnyVerb extends Omit<Verb<Record<string, unknown>>, "parameters" | "run"> {
  /** Its parameters. */
  readonly parameters: ParameterSchemas;
  /** Runs it. */
  readonly run: (context: VerbContext, parameters: never) => Json;
}
