import { describe, expect, it, vi } from "vitest";
import { createEntity } from "../src/commands/tree/create-entity.ts";
import { deleteEntities } from "../src/commands/tree/delete-entities.ts";
import { LiveSession } from "../src/devtool/live-session.ts";
import { DocumentSet } from "../src/document/document-set.ts";
import { Selection } from "../src/document/selection.ts";
import { startPlaying } from "../src/play/play-session.ts";
import { ChangeSignal } from "../src/shell/change-signal.ts";
import { Notifications } from "../src/shell/notifications.ts";
import { ViewState } from "../src/shell/view-state.ts";
import { translator } from "../src/texts.ts";
import { at, names, open } from "./open.ts";

describe("notifications", () => {
  it("show the last three, and the same text once", () => {
    const changed = vi.fn();
    const notes = new Notifications(changed);
    for (const text of ["a", "b", "c", "b", "d", "e", "f"]) notes.say(text);
    expect(notes.messages.map(({ text }) => text)).toEqual(["d", "e", "f"]);
    expect(changed).toHaveBeenCalledTimes(7);
    notes.dismiss(notes.say("g"));
    expect(notes.messages.map(({ text }) => text)).not.toContain("g");
    notes.clear();
    expect(notes.messages).toEqual([]);
  });

  it("say why something was refused, and otherwise return what was made", () => {
    const notes = new Notifications(() => {});
    const refused = notes.attempt(() => {
      throw new Error("No.");
    });
    expect([refused, notes.attempt(() => 7)]).toEqual([undefined, 7]);
    notes.fail("odd");
    expect(notes.messages.map(({ kind, text }) => [kind, text])).toEqual([
      ["error", "No."],
      ["error", "odd"],
    ]);
  });
});

describe("a change signal", () => {
  it("reports several changes once, later or at once", async () => {
    const signal = new ChangeSignal();
    const heard = vi.fn();
    const end = signal.subscribe(heard);
    signal.changed();
    signal.changed();
    expect([heard.mock.calls.length, signal.isPending]).toEqual([0, true]);
    await new Promise((done) => setTimeout(done, 20));
    expect([heard.mock.calls.length, signal.revision, signal.isPending]).toEqual([1, 1, false]);
    signal.changed();
    signal.flush();
    signal.flush();
    await new Promise((done) => setTimeout(done, 20));
    expect(heard).toHaveBeenCalledTimes(2);
    end();
    signal.changed();
    signal.flush();
    expect(heard).toHaveBeenCalledTimes(2);
  });
});

describe("a set of documents", () => {
  it("knows the outermost one, what is unsaved, and what plays", async () => {
    const changed = vi.fn();
    const [scene, prefab] = [open(), open()];
    const documents = new DocumentSet(scene, translator(), changed);
    createEntity(scene);
    expect(changed).toHaveBeenCalled();
    documents.behind.push(scene);
    documents.show(prefab);
    expect([documents.current, documents.outermost, documents.all]).toEqual([prefab, scene, [scene, prefab]]);
    expect(documents.isUnsaved).toBe(true);
    scene.marks.save();
    expect(documents.isUnsaved).toBe(false);
    changed.mockClear();
    createEntity(scene);
    expect(changed).not.toHaveBeenCalled();
    documents.play = await startPlaying(prefab);
    documents.show(documents.play.document);
    // What plays is a copy; what is saved is what is edited.
    expect(documents.all).toEqual([scene, prefab]);
    documents.play.stop();
  });

  it("of a live world has nothing to save", () => {
    const live = open();
    const documents = new DocumentSet(live, translator(), () => {}, false);
    createEntity(live);
    expect(documents.isUnsaved).toBe(false);
  });
});

describe("a view", () => {
  it("shows the rows that are open, those above one that is revealed, and those that are found", () => {
    const document = open();
    const changed = vi.fn();
    const view = new ViewState(() => document, changed);
    const shown = () => names(document, view.shown.rows.entities);
    expect(shown()).toEqual(["level", "sky", "unit", "folder"]);
    view.reveal(at(document, "door"));
    expect(shown()).toEqual(["level", "house", "door", "tree", "sky", "unit", "folder"]);
    view.collapseAll();
    view.searchFor("coin");
    expect(shown()).toEqual(["folder", "coin"]);
    view.startOver();
    expect([view.searchText, view.fitWish.count]).toEqual(["", 1]);
    expect(shown()).toContain("coin");
    const { rows } = view.shown;
    expect(view.shown.rows).toBe(rows);
    deleteEntities(document, [at(document, "level")]);
    expect(shown()).not.toContain("level");
  });
});

describe("a live session", () => {
  it("reports the part that changed to the views that show it", () => {
    const live = new LiveSession(() => {});
    const [rows, values] = [vi.fn(), vi.fn()];
    const end = live.subscribeTo.rows(rows);
    live.subscribeTo.values(values);
    live.pulse("rows");
    expect([rows.mock.calls.length, values.mock.calls.length, live.pulses.rows]).toEqual([1, 0, 1]);
    end();
    live.pulse("rows");
    expect(rows).toHaveBeenCalledTimes(1);
  });
});

describe("a selection", () => {
  it("returns only living entities, whatever happened to the others", () => {
    const document = open();
    const [house, door, sky] = ["house", "door", "sky"].map((id) => at(document, id));
    const { selection, tree } = document;
    selection.replace([house!, door!, sky!]);
    tree.destroy(house!, { children: "cascade" });
    expect(selection.entities).toEqual([sky]);
    expect([selection.size, selection.primary, selection.anchor, selection.has(door!)]).toEqual([
      1,
      sky,
      sky,
      false,
    ]);
    selection.toggle(door!);
    selection.extend([door!, sky!]);
    expect(selection.entities).toEqual([sky]);
    expect([selection.prune(), selection.prune()]).toEqual([false, false]);
    const plain = new Selection(
      () => {},
      (entity) => entity !== door,
    );
    plain.replace([door!]);
    expect(plain.size).toBe(0);
  });
});
