/**
 * What a verb is: a name, its parameters, and a function that does it.
 */
import type { AnyComponent, Entity, World } from "../ecs/index.ts";
import type { Hierarchy } from "../hierarchy/index.ts";
import type { Json, Scene, SceneFile, SceneFormat } from "../scene/index.ts";
import type { SceneDocument } from "./document.ts";
import type { ParameterSchemas } from "./parameters/schema.ts";
import type { FileEdit } from "./waiting-edits.ts";

/** Something to mind about a change that was made. */
export interface VerbWarning {
  /** What kind of warning it is, for programs: `"lost-reference"`. */
  readonly code: string;
  /** What to mind, as a sentence. */
  readonly message: string;
  /** The id of the entity it is about. */
  readonly entity?: string;
}

/** What a verb works on. */
export interface VerbContext {
  /** The document that it is run on. */
  readonly document: SceneDocument;
  /** The scene of the document. */
  readonly scene: Scene;
  /** The hierarchy that the scene is in. */
  readonly tree: Hierarchy;
  /** The world that the scene is in. */
  readonly world: World;
  /** The format of the document. */
  readonly format: SceneFormat;
  /** The entity that a reference means. @throws VerbError `verbs/unknown-entity`, `verbs/ambiguous-path` */
  readonly find: (reference: string) => Entity;
  /** The id of an entity; one without gets one. */
  readonly idOf: (entity: Entity) => string;
  /** Gives an id to everything new, so that later steps of a batch can name it. */
  readonly giveIds: () => void;
  /** The scene as a flat file now. */
  readonly file: () => SceneFile;
  /** Makes the scene say what a file says. @throws SceneError when it does not load. */
  readonly reload: (file: SceneFile) => void;
  /** Edits what the file says about one entity. In a batch the edit may wait; everything else here makes waiting edits first. */
  readonly edit: (edit: FileEdit) => void;
  /**
   * The entity that a reference means and its id, for `edit`: no edit of this entity waits, edits of other entities may. What `has`, `pathOf` and
   * `isTaken` say is right for it.
   * @throws VerbError `verbs/unknown-entity`, `verbs/ambiguous-path`
   */
  readonly entry: (reference: string) => { readonly entity: Entity; readonly id: string };
  /** The id of a parent, which may be waiting itself; nothing for `null`. @throws VerbError as `entry` */
  readonly parentId: (reference: string | null) => string | undefined;
  /** Whether an entity of `entry` has a component. */
  readonly has: (entity: Entity, component: AnyComponent) => boolean;
  /** The path of an entity of `entry`, for messages. */
  readonly pathOf: (entity: Entity) => string;
  /** Whether an id is taken, also by what waits. */
  readonly isTaken: (id: string) => boolean;
  /** Gives a prefab file another text, written with the scene; `null` for none. `before` is what it says on disk. */
  readonly writePrefab: (file: string, text: string | null, before: string | null) => void;
  /** Notes that this run undoes an edit. */
  readonly markUndone: (token: string) => void;
  /** Adds a warning to the result. */
  readonly warn: (warning: VerbWarning) => void;
}

/** A verb of scenes: its name, its parameters as a schema, and how it is done. */
export interface Verb<Parameters extends object, Output extends Json = Json> {
  /** By which it is called, on the command line and as a tool too. */
  readonly name: string;
  /** Further names on the command line. */
  readonly aliases: readonly string[];
  /** What it does, in a line. */
  readonly summary: string;
  /** Whether it never changes anything. */
  readonly isReadOnly: boolean;
  /** Its parameters. */
  readonly parameters: ParameterSchemas<keyof Parameters & string>;
  /** Those that cannot be left out. */
  readonly required: readonly (keyof Parameters & string)[];
  /** Those that follow the file on the command line without a name, in this order. */
  readonly operands: readonly (keyof Parameters & string)[];
  /** Does it. */
  readonly run: (context: VerbContext, parameters: Parameters) => Output;
}

/** A verb whose parameters are not known to the compiler. */
export interface AnyVerb extends Omit<Verb<Record<string, unknown>>, "parameters" | "run"> {
  /** Its parameters. */
  readonly parameters: ParameterSchemas;
  /** Does it. */
  readonly run: (context: VerbContext, parameters: never) => Json;
}
