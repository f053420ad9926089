/** A level lists the files it needs; one is missing at first, and a retry fetches it. */
import { type AssetKind, asset, component } from "espalier";
import { type AssetLoadError, assetFiles, createGame, sceneFiles } from "espalier/game";
import { assetsOf } from "espalier/scene";

const Talk = component("Talk", { dialog: asset("dialog") });

/** A custom kind of file. Pictures, sounds and sprite sheets come with renderer and parts. */
const dialogs = new Map<string, string>();
const dialog: AssetKind = {
  kind: "dialog",
  endings: ["txt"],
  async read({ name, blob }) {
    const text = await blob!.text();
    return { value: text, use: () => void dialogs.set(name, text), free: () => void dialogs.delete(name) };
  },
};

const person = { entities: [{ id: "person", components: { Talk: { dialog: "hello.txt" } } }] };
const village = {
  entities: [
    { id: "smith", prefab: "person", components: { Talk: { dialog: "smith" } } },
    { id: "child", prefab: "person" },
  ],
};

/** A server that lacks a file. */
const server = new Map([["/texts/hello.txt", "Hello!"]]);
const fetch = async (address: string) => {
  // In a page the address is absolute.
  const body = server.get(new URL(address, "http://localhost").pathname);
  console.log(`${address}: ${body === undefined ? 404 : 200}`);
  return new Response(body ?? "", { status: body === undefined ? 404 : 200 });
};

const game = createGame({
  components: [Talk],
  assets: assetFiles({ smith: "smith.txt" }, { base: "/texts/", fetch, kinds: [dialog] }),
  scenes: sceneFiles({ village, person }),
});

for (const { kind, name, path } of assetsOf(village, game.format, { prefabs: { person } }))
  console.log(`${path} needs the ${kind} ${name}`);

const error: AssetLoadError = await game.preload("village").catch((thrown) => thrown);
for (const { name, status, path } of error.failures)
  console.log(`${name} is missing (${status}), for ${path}`);
console.log(`in use: ${[...dialogs.keys()].join(", ") || "nothing"}`);

server.set("/texts/smith.txt", "Mind the sparks.");
await error.retry();
await game.load("village");
console.log(`in use: ${[...dialogs.keys()].sort().join(", ")}`);

game.unload("village");
console.log(`freed: ${game.assets.unload().sort().join(", ")}`);
