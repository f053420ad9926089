/**
 * The part of `@espalier/editor/server` that the command line needs; an optional package.
 */
import type { AnyComponent } from "espalier";
import type { SceneFormat } from "espalier/scene";
import type { ShareOptions } from "./edit-share.ts";
import type { PlayModules } from "./play-modules.ts";
import type { editKeeper } from "./scene-files/edit-keeper.ts";

export interface EditorServerModule {
  startServer(options: {
    readonly folder: string;
    readonly app: string;
    readonly open: string | undefined;
    readonly components: readonly unknown[];
    readonly prefabs: string | undefined;
    readonly play: object | undefined;
    readonly modules: PlayModules | undefined;
    readonly port: number | undefined;
    readonly edits: ReturnType<typeof editKeeper>;
    readonly share: ShareOptions | undefined;
    readonly importFile: (name: string, bytes: Uint8Array) => Promise<string>;
  }): Promise<{ readonly url: string; readonly launchUrl: string; close(): Promise<void> }>;
  describeComponent(component: AnyComponent, format: SceneFormat): unknown;
  appFolder(): string;
}
