/**
 * The editor as a library: put it into a page of your own.
 *
 * @packageDocumentation
 */

export { broadcastChannel, type Channel, type SocketLike, socketChannel } from "./devtool/channel.ts";
export type { LiveWorldOptions } from "./devtool/live-document.ts";
export type { Pausable } from "./devtool/live-session.ts";
export { type MountedEditor, type MountOptions, mountEditor } from "./devtool/mount-editor.ts";
export { type ShareOptions, shareWorld } from "./devtool/share-world.ts";
export { type WatchedWorld, type WatchOptions, type WatchStatus, watchWorld } from "./devtool/watch-world.ts";
export { EditorDocument, openDocument } from "./document/document.ts";
export { edit } from "./document/edit.ts";
export { createEditorFormat } from "./document/format.ts";
export { type PlayRequest, PlaySession, startPlaying } from "./play/play-session.ts";
export type { PlayOptions, PlaySetup } from "./play/play-setup.ts";
export type { App, Widget, WidgetContext } from "./shell/app.ts";
export { type StartOptions, startEditor } from "./start-editor.ts";
export { english, type TextKey, type Translate, translator } from "./texts.ts";
export type { LoadPixi } from "./viewport/open-scene-canvas.ts";
export type { SceneCanvas } from "./viewport/scene-canvas.ts";
