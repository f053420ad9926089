/** Windows of the editor on one folder, in which a user does anything, from a seed. */
import { instanceOf, instancesIn } from "espalier/scene";
import { Transform2D } from "espalier/transform";
import { mergeScene } from "../src/commands/scene/merge-scene.ts";
import { reloadScene } from "../src/commands/scene/reload-scene.ts";
import { PartOfInstanceError, replaceEntities } from "../src/commands/scene/replace-entities.ts";
import { revertOverride } from "../src/commands/scene/revert-override.ts";
import { unpack } from "../src/commands/scene/unpack-instance.ts";
import { deleteEntities } from "../src/commands/tree/delete-entities.ts";
import { pasteEntities } from "../src/commands/tree/paste-entities.ts";
import { copyText, cutOut } from "../src/document/clipboard.ts";
import type { EditorDocument } from "../src/document/document.ts";
import { MergeSession } from "../src/document/merge-session.ts";
import { LockedError, whyLocked } from "../src/document/require-unlocked.ts";
import { startPlaying } from "../src/play/play-session.ts";
import { openText } from "../src/shell/actions/file-actions.ts";
import { makePrefabAction } from "../src/shell/actions/make-prefab-action.ts";
import { applyToPrefab } from "../src/shell/actions/prefab-actions.ts";
import { App } from "../src/shell/app.ts";
import { Aim, Health, level, Rusty, tankPrefab } from "./open.ts";
import { randomGesture } from "./random-session.ts";

/** What a gesture of the windows may be, beside those of one document. */
type WindowGesture = (typeof windowGestures)[number];
const windowGestures = [
  "cut",
  "paste",
  "paste elsewhere",
  "revert",
  "reload",
  "merge",
  "play",
  "unpack",
  "apply",
  "apply some",
  "make prefab",
  "replace",
] as const;

export class RandomWindows {
  readonly apps: readonly App[];
  private readonly next: () => number;
  private clipboard: string | undefined;

  constructor(next: () => number, count: number) {
    this.next = next;
    this.apps = Array.from({ length: count }, () => {
      const app = new App({ components: [Health, Aim, Rusty] });
      app.project = { scenes: [], images: [], prefabs: { "tank.prefab.json": tankPrefab } };
      openText(app, { name: "level.scene.json", text: level });
      return app;
    });
  }

  /** Does one thing in one window. */
  async gesture(): Promise<void> {
    const app = this.pick(this.apps);
    if (this.next() < 0.7) randomGesture(app.document, this.next);
    else {
      try {
        await this.windowGesture(app, this.pick(windowGestures));
      } catch (error) {
        // Said to the user; nothing has changed.
        if (!(error instanceof PartOfInstanceError || error instanceof LockedError)) throw error;
      }
    }
  }

  private async windowGesture(app: App, gesture: WindowGesture): Promise<void> {
    const { document } = app;
    const entities = document.world.entities();
    if (entities.length < 8) return;
    const entity = this.pick(entities);
    switch (gesture) {
      case "cut": {
        if (whyLocked(document, [entity]) !== undefined) return;
        const cut = cutOut(document, [entity]);
        deleteEntities(document, [entity]);
        document.cutOut = cut;
        this.clipboard = cut?.text;
        return;
      }
      case "paste":
      case "paste elsewhere": {
        const to = gesture === "paste" ? document : this.pick(this.apps).document;
        const text = this.clipboard ?? copyText(document, [entity]);
        const below = to.world.entities();
        if (text === undefined || below.length > 150) return;
        pasteEntities(to, text, this.next() < 0.5 ? this.pick(below) : null, to.cutOut);
        return;
      }
      case "revert": {
        const instance = this.instance(document);
        if (instance !== undefined)
          revertOverride(document, instance, this.pick([undefined, ...instance.overrides()]));
        return;
      }
      case "unpack": {
        const instance = this.instance(document);
        if (instance !== undefined) unpack(document, instance.root);
        return;
      }
      case "apply":
      case "apply some": {
        const instance = this.instance(document);
        if (instance === undefined) return;
        const able = instance.overrides().filter(({ own }) => own !== true);
        applyToPrefab(
          app,
          instance,
          gesture === "apply" || able.length === 0 ? undefined : [this.pick(able)],
        );
        return;
      }
      case "make prefab":
        document.selection.replace([entity]);
        makePrefabAction.run(app);
        return;
      case "replace": {
        const names = Object.keys(app.project.prefabs).map((path) => path.replace(/\.prefab\.json$/, ""));
        if (entities.length < 150) replaceEntities(document, [entity], this.pick(names));
        return;
      }
      case "reload":
        reloadScene(document, this.changedElsewhere(document));
        return;
      case "merge": {
        const base = document.save();
        const session = new MergeSession(document, base, this.changedElsewhere(document));
        mergeScene(document, session.text, { ...document.origin, text: session.theirs });
        return;
      }
      case "play": {
        const session = await startPlaying(document);
        const { world } = session.document;
        for (const one of world.entities().slice(0, 2)) {
          if (world.has(one, Transform2D)) world.set(one, Transform2D, { x: Math.round(this.next() * 9) });
        }
        session.step();
        session.stop(this.next() < 0.7);
      }
    }
  }

  /** The file as another program changed it. */
  private changedElsewhere(document: EditorDocument): string {
    const file = JSON.parse(document.save()) as { entities: { components?: { [name: string]: object } }[] };
    const entry = this.pick(file.entities);
    entry.components = { ...entry.components, Health: { hp: Math.round(this.next() * 50) } };
    return JSON.stringify(file);
  }

  private instance({ tree }: EditorDocument) {
    const all = instancesIn(tree);
    return all.length === 0 ? undefined : instanceOf(tree, this.pick(all).root);
  }

  private pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.next() * items.length)] as Item;
  }
}
