/**
 * The files around a scene: other scenes, prefabs, images and sounds of the project.
 */
import type { DescribedComponent } from "../document/described-components.ts";
import type { EditKeeper } from "../edits/listed-edits.ts";
import type { PlayOptions } from "../play/play-setup.ts";
import type { ShareService } from "../share/collab.ts";

export interface Project {
  readonly scenes: readonly string[];
  /** The texts of prefabs by their paths from the folder of the project. */
  readonly prefabs: { readonly [name: string]: string };
  /** The folder of prefabs that are not beside the scenes. */
  readonly prefabFolder?: string;
  /** Whether the folder has too many files to list all: some may be missing here. */
  readonly isCut?: boolean;
  /** Addresses of images by name. */
  readonly images: readonly { readonly name: string; readonly url: string }[];
  /** The names of sounds. */
  readonly sounds?: readonly string[];
  /** Whether it is the folder that a server serves, where files may change. */
  readonly isServed?: boolean;
}

/** The content of a file, and its version. */
export interface StoredFile {
  readonly path: string;
  readonly text: string;
  /** Changes with the file. */
  readonly version: string;
}

/** Access to the files of a server. */
export interface FileStore {
  project(): Promise<
    Project & {
      readonly components: readonly DescribedComponent[];
      readonly open?: string;
      readonly play?: PlayOptions;
      /** The address of the project's code for Play. */
      readonly module?: string;
      /** The address of the module that joins rooms: scenes are edited together with other people on this server. */
      readonly share?: string;
    }
  >;
  read(path: string): Promise<StoredFile>;
  /**
   * @param version - The version that was last read; `undefined` overwrites whatever is there.
   * @param beginning - The room in which it is edited with others, whose pages are notified.
   * @returns the version after writing. @throws FileChangedError when the file has another version.
   */
  write(path: string, text: string, version: string | undefined, beginning?: string): Promise<string>;
  /** Turns a Godot or glTF file into the text of a scene. */
  readonly import?: (file: File) => Promise<string>;
  /** Copies an image into the project. @returns its path there, with a name that was free. */
  readonly addImage?: (file: File) => Promise<string>;
  /** Edits that people and programs made to files, if the server keeps them. Paths are those of the project. */
  readonly edits?: EditKeeper;
  /** The service for pages that edit together, for the address of the module that `project` gives. */
  readonly share?: (module: string) => ShareService;
  /**
   * Calls `changed` when a file of the project changes on disk; without a path if any file may have changed. Returns a function
   * that ends it.
   */
  watch(changed: (path: string | undefined) => void): () => void;
}
