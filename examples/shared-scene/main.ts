/** Two people edit one scene: at the same time, undoing only their own edits, and while the relay is away. */
import { joinScene, type SharedSession } from "@espalier/collab";
import { openRelay } from "@espalier/collab/relay";
import { component, createWorld, f32 } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createSceneFormat } from "espalier/scene";
import { WebSocket } from "ws";

globalThis.WebSocket ??= WebSocket as never;

const Health = component("Health", { hp: f32(100) });
const format = createSceneFormat({ components: [Health] });
const level = `{ "entities": [{ "id": "tank", "components": { "Health": {} } }, { "id": "crate" }] }`;

async function join(url: string, name: string): Promise<SharedSession> {
  const scene = format.load(createHierarchy(createWorld()), level);
  return joinScene(scene, { format, url, room: "level", user: { name } });
}

/** Waits until something is true of a session. */
async function until(session: SharedSession, isTrue: () => boolean): Promise<void> {
  await new Promise<void>((resolve) => {
    if (isTrue()) resolve();
    const stop = session.onChange(() => {
      if (!isTrue()) return;
      stop();
      resolve();
    });
  });
}

const hpIn = ({ scene }: SharedSession) => scene.tree.world.get(scene.entity("tank"), Health)?.hp;
const parentIn = ({ scene }: SharedSession) => scene.tree.parentOf(scene.entity("crate"));

const relay = await openRelay();
const ada = await join(relay.url, "Ada");
const bob = await join(relay.url, "Bob");

ada.undo.step("Damage", () => ada.scene.tree.world.set(ada.scene.entity("tank"), Health, { hp: 40 }));
bob.undo.step("Load", () => bob.scene.tree.attach(bob.scene.entity("crate"), bob.scene.entity("tank")));
await until(ada, () => parentIn(ada) !== null);
await until(bob, () => hpIn(bob) === 40);
console.log("Both edits are in both worlds:", ada.scene.save() === bob.scene.save());

ada.undo.undo();
await until(bob, () => hpIn(bob) === 100);
console.log("Ada took back the damage, the crate of Bob stays on the tank:", parentIn(ada) !== null);

const { port } = relay;
await relay.close();
await until(ada, () => ada.status === "offline");
await until(bob, () => bob.status === "offline");
ada.scene.tree.world.set(ada.scene.entity("tank"), Health, { hp: 70 });
bob.scene.add(bob.scene.tree.world.spawn(Health({ hp: 5 })), "mine");
const again = await openRelay({ port });
await until(ada, () => ada.scene.find("mine") !== undefined);
await until(bob, () => hpIn(bob) === 70);
console.log("What was edited without the relay is merged:", ada.scene.save() === bob.scene.save());

await ada.leave();
await bob.leave();
await again.close();
