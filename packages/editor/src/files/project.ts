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
  /** Where prefabs are that are not beside the scenes. */
  readonly prefabFolder?: string;
  /** The folder has so many files that not all were looked at: some may be missing here. */
  readonly isCut?: boolean;
  /** Addresses of images by name. */
  readonly images: readonly { readonly name: string; readonly url: string }[];
  /** The names of sounds. */
  readonly sounds?: readonly string[];
  /** It is the folder that a server serves, and may change there. */
  readonly isServed?: boolean;
}

/** What is in a file, and which version of it. */
export interface StoredFile {
  readonly path: string;
  readonly text: string;
  /** Changes whenever the file does. */
  readonly version: string;
}

/** Where files are, if they are served. */
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
   * @param version - The one that was read last; nothing writes over whatever is there.
   * @param beginning - The room in which it is edited together with other people, whose pages are notified.
   * @returns the version after writing. @throws FileChangedError when the file has another version.
   */
  write(path: string, text: string, version: string | undefined, beginning?: string): Promise<string>;
  /** Turns a Godot or glTF file into the text of a scene. */
  readonly import?: (file: File) => Promise<string>;
  /** Copies an image into the project. @returns its path there, under a name that was free. */
  readonly addImage?: (file: File) => Promise<string>;
  /** What people and programs did to files, where the server keeps that. Paths are those of the project. */
  readonly edits?: EditKeeper;
  /** What pages that edit together need of the server, by the address of the module that `project` gives. */
  readonly share?: (module: string) => ShareService;
  /** Calls `changed` when a file of the project changes on disk; without a path when any may have. Returns a function that ends it. */
  watch(changed: (path: string | undefined) => void): () => void;
}
