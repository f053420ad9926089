/** The whole editor: bar, panels, overlays, and the keys that work everywhere. */
import { type ReactNode, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Group, Panel, Separator } from "react-resizable-panels";
import { BottomPanel } from "../panels/bottom-panel.tsx";
import { HierarchyPanel } from "../panels/hierarchy-panel.tsx";
import { InspectorPanel } from "../panels/inspector/inspector-panel.tsx";
import { ViewportPanel } from "../viewport/viewport-panel.tsx";
import { actionFor, runAction } from "./actions/actions.ts";
import { addImageFiles, imagesIn } from "./actions/asset-actions.ts";
import { mayLeave, openText } from "./actions/file-actions.ts";
import { isTyping, shortcutOf } from "./actions/shortcuts.ts";
import { isSettled, isUndo } from "./actions/undo-keys.ts";
import type { App } from "./app.ts";
import { Help } from "./dialogs/help.tsx";
import { Merge } from "./dialogs/merge.tsx";
import { Palette } from "./dialogs/palette.tsx";
import { SaveAs } from "./dialogs/save-as.tsx";
import { Share } from "./dialogs/share.tsx";
import { Tour } from "./dialogs/tour.tsx";
import { Welcome } from "./dialogs/welcome.tsx";
import { ContextMenu } from "./menu/context-menu.tsx";
import { Messages } from "./messages.tsx";
import { styles } from "./styles.ts";
import { TopBar } from "./top-bar.tsx";
import { AppContext, useAppItself, useAppValue } from "./use-app.ts";

export function EditorView({ app }: { readonly app: App }): ReactNode {
  return (
    <AppContext.Provider value={app}>
      <style>{styles}</style>
      <Editor />
    </AppContext.Provider>
  );
}

function Editor(): ReactNode {
  const app = useAppItself();
  const root = useRef<HTMLDivElement>(null);
  const theme = useTheme(useAppValue(({ view }) => view.settings.theme));
  const isPlaying = useAppValue(({ documents }) => documents.play !== undefined);
  const isPrefab = useAppValue(({ documents }) => documents.behind.length > 0);
  const isViewportShown = useAppValue((now) => now.view.isViewportShown);
  const overlay = useAppValue((now) => now.view.overlay);
  const [isDropping, setDropping] = useState(false);
  useKeys(app, root);
  useUnloadGuard(app);
  const dropFile = async (event: React.DragEvent) => {
    setDropping(false);
    if (event.defaultPrevented) return;
    const images = imagesIn(event.dataTransfer.files);
    if (images.length > 0) {
      event.preventDefault();
      await addImageFiles(app, images, { parent: app.document.selection.primary ?? null });
      return;
    }
    const file = [...event.dataTransfer.files].find(({ name }) => /\.(json|jsonc|tscn|gltf|glb)$/.test(name));
    if (file === undefined) return;
    event.preventDefault();
    if (!mayLeave(app)) return;
    const text = await app.importFile(file);
    if (text !== undefined)
      openText(app, { name: file.name.replace(/\.(tscn|gltf|glb)$/, ".scene.json"), text });
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files may be dropped anywhere; there is an action for the keyboard
    <div
      ref={root}
      className="esp"
      data-theme={theme}
      data-playing={isPlaying}
      data-prefab={isPrefab}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes("Files")) return;
        event.preventDefault();
        setDropping(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setDropping(false);
      }}
      onDrop={(event) => void dropFile(event)}
      // After the handlers of children: a field must show what was typed before its event ends.
      onChange={() => app.signal.flush()}
    >
      <TopBar />
      <main className="esp-body">
        <Group orientation="horizontal" style={{ flex: 1, minWidth: 0 }}>
          <Panel defaultSize="22%" minSize="140px" id="left">
            <HierarchyPanel />
          </Panel>
          <Separator className="esp-handle" aria-label={app.t("resize.hierarchy")} />
          <Panel minSize="200px" id="middle">
            <Group orientation="vertical" style={{ height: "100%" }}>
              {isViewportShown ? (
                <>
                  <Panel minSize="120px" id="viewport">
                    <ViewportPanel />
                  </Panel>
                  <Separator className="esp-handle row" aria-label={app.t("resize.bottom")} />
                </>
              ) : null}
              <Panel defaultSize={isViewportShown ? "26%" : "100%"} minSize="60px" id="bottom">
                <BottomPanel />
              </Panel>
            </Group>
          </Panel>
          <Separator className="esp-handle" aria-label={app.t("resize.inspector")} />
          <Panel defaultSize="25%" minSize="180px" id="right">
            <InspectorPanel />
          </Panel>
        </Group>
      </main>
      <Messages />
      <ContextMenu />
      <Tour />
      {overlay === "palette" ? <Palette /> : null}
      {overlay === "help" ? <Help /> : null}
      {overlay === "welcome" ? <Welcome /> : null}
      {overlay === "merge" ? <Merge /> : null}
      {overlay === "save-as" ? <SaveAs /> : null}
      <Share />
      {isDropping ? <div className="esp-filedrop">{app.t("file.drop")}</div> : null}
    </div>
  );
}

/** Resolves `system` to the current theme of the system. */
function useTheme(theme: "system" | "dark" | "light"): "dark" | "light" {
  const [isLight, setLight] = useState(() => matchMedia("(prefers-color-scheme: light)").matches);
  useEffect(() => {
    const query = matchMedia("(prefers-color-scheme: light)");
    const listener = () => setLight(query.matches);
    query.addEventListener("change", listener);
    return () => query.removeEventListener("change", listener);
  }, []);
  if (theme !== "system") return theme;
  return isLight ? "light" : "dark";
}

/** Events whose handlers use what was last rendered. */
const inputs = ["keydown", "pointerdown", "click", "dblclick"] as const;

/** Keys are handled when the focus is in the editor, or nowhere. */
function useKeys(app: App, root: React.RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      const target = event.target as Node | null;
      const isOurs = root.current?.contains(target) || (target === document.body && !app.isLive);
      if (!isOurs || event.defaultPrevented) return;
      if (app.view.menu !== undefined) {
        // The menu gets the focus one frame after it was opened.
        if (event.key === "Escape") app.view.openMenu(undefined);
        return;
      }
      if (isMenuKey(event)) {
        event.preventDefault();
        openMenuByKey(event.target as Element);
        return;
      }
      const shortcut = shortcutOf(event);
      const action = actionFor(app, shortcut);
      if (action === undefined || app.sharing?.isJoining === true) return;
      if (app.view.overlay !== "none" && action.id !== "palette") return;
      const isOfField = isUndo(app, event) ? !isSettled(event.target) : action.whileTyping !== true;
      if (isTyping(event.target) && isOfField) return;
      // Buttons and tabs have keys of their own.
      if (event.target instanceof HTMLButtonElement && ["Space", "Enter"].includes(shortcut)) return;
      event.preventDefault();
      runAction(app, action);
    };
    const up = (event: KeyboardEvent) => {
      if (event.key.startsWith("Arrow")) app.document.history.seal();
    };
    // Handlers use what was last rendered, which must be the current state and not that before the last key.
    const bringUpToDate = () => {
      if (app.signal.isPending) flushSync(() => app.signal.flush());
    };
    for (const name of inputs) addEventListener(name, bringUpToDate, true);
    // A click takes effect at once, not a frame later.
    addEventListener("click", bringUpToDate);
    addEventListener("keydown", key);
    addEventListener("keyup", up);
    return () => {
      for (const name of inputs) removeEventListener(name, bringUpToDate, true);
      removeEventListener("click", bringUpToDate);
      removeEventListener("keydown", key);
      removeEventListener("keyup", up);
    };
  }, [app, root]);
}

function isMenuKey({ key, shiftKey }: KeyboardEvent): boolean {
  return key === "ContextMenu" || (key === "F10" && shiftKey);
}

/** Acts like a right click on the focused element, for every element with a menu. */
function openMenuByKey(target: Element): void {
  const focused = target.querySelector('[data-focus="true"]') ?? target;
  const box = focused.getBoundingClientRect();
  const at = { clientX: box.left + Math.min(40, box.width / 2), clientY: box.top + Math.min(18, box.height) };
  focused.dispatchEvent(new MouseEvent("contextmenu", { ...at, bubbles: true, cancelable: true }));
}

function useUnloadGuard(app: App): void {
  useEffect(() => {
    const guard = (event: BeforeUnloadEvent) => {
      if (app.documents.isUnsaved) event.preventDefault();
    };
    addEventListener("beforeunload", guard);
    return () => removeEventListener("beforeunload", guard);
  }, [app]);
}
