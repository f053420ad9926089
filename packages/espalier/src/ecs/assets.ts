/**
 * What loads the files that fields name. Renderers, outputs and parts of games offer their kinds in this shape, so that none of them
 * needs to know the others.
 */

/** A kind of file that can be loaded: pictures, sounds, sprite sheets, or one of your own. */
export interface AssetKind {
  /** What fields call it: `asset("texture")`. */
  readonly kind: string;
  /** Kinds of fields that such a file serves too: a sprite sheet serves as a `texture`. */
  readonly serves?: readonly string[];
  /** How files of this kind end, without the dot. */
  readonly endings: readonly string[];
  /** Whether files are fetched (`"body"`, the default), only asked for (`"head"`), or neither (`"none"`). */
  readonly fetch?: "body" | "head" | "none";
  /** Whether something of this name is there without a file: the program gave it. Asked for names that are not listed. */
  has?(name: string): boolean;
  /** Addresses that it knows for a name by itself, where the program listed none. */
  where?(name: string): readonly string[] | undefined;
  /** The address to take, of several with the same content. The first that ends as `endings` say if left out. */
  choose?(addresses: readonly string[]): string | undefined;
  /** Makes something of a file. It must not be in use before `use()` is called: another file may fail. */
  read(file: AssetFile): LoadedAsset | Promise<LoadedAsset>;
}

/** A file that has arrived. */
export interface AssetFile {
  /** The name that fields use. */
  readonly name: string;
  /** Where it was fetched from; empty for one that was given as a value. */
  readonly address: string;
  /** What arrived; `undefined` for kinds that fetch none, and for values. */
  readonly blob: AssetBytes | undefined;
  /** What was given instead of an address: JSON that the program has already. */
  readonly value?: unknown;
  /** What the file says that needs this one: the frames of a picture, from its sprite sheet. */
  readonly details?: unknown;
  /** Everything else that the program said about it beside its address. */
  readonly options: { readonly [option: string]: unknown };
}

/** The bytes of a file: a `Blob` of the browser or of Node. */
export interface AssetBytes {
  /** How many bytes there are. */
  readonly size: number;
  /** What the server says it is: `image/png`. */
  readonly type: string;
  /** The bytes themselves. */
  arrayBuffer(): Promise<ArrayBuffer>;
  /** The bytes as text in UTF-8. */
  text(): Promise<string>;
}

/** A file that was read. */
export interface LoadedAsset {
  /** What `game.assets.get(name)` returns. */
  readonly value: unknown;
  /** Other files it needs, by kind and address: loaded under the same name. */
  readonly needs?: readonly AssetNeed[];
  /** Makes it known to what uses it. Called when everything that was asked for is there. */
  use?(): void;
  /** Forgets it and frees what it holds. Called once, after `use()`; what was never used is left to the garbage collector. */
  free?(): void;
}

/** A file that another one needs. */
export interface AssetNeed {
  /** The kind of file. */
  readonly kind: string;
  /** Where it is, from the address of the file that needs it. */
  readonly address: string;
  /** Given to `read` of its kind. */
  readonly details?: unknown;
}
