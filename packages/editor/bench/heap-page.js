/** The page of `heap.mjs`: an editor that is played and edited in rounds, each of which ends where it began. */
import { startEditor } from "../src/start-editor.ts";

const frames = (count) =>
  new Promise((done) => {
    const next = () => (--count < 0 ? done() : requestAnimationFrame(next));
    next();
  });

let app;
window.begin = async () => {
  app = await startEditor(document.querySelector("#place"));
  while (document.querySelector('[data-sample="tanks"]') === null) await frames(1);
  document.querySelector('[data-sample="tanks"]').click();
  await frames(30);
  app.view.expandAll();
  await frames(30);
};

/** Plays for a second with an edit in the middle, stops, edits in every way that has a key, and undoes all of it. */
window.round = async () => {
  app.run("play");
  await frames(30);
  app.run("select-all");
  app.run("duplicate");
  await frames(30);
  app.run("stop");
  await frames(5);
  const names = [
    "select-all",
    "duplicate",
    "group",
    "ungroup",
    "nudge-left",
    "to-front",
    "toggle-visibility",
    "delete",
  ];
  for (const name of names) {
    app.run(name);
    await frames(2);
  }
  app.view.searchFor("tank");
  await frames(2);
  app.view.searchFor("");
  while (app.document.undo());
  app.document.selection.clear();
  await frames(5);
  return app.document.world.count;
};
