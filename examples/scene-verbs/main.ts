/** Verbs: try a change, make it, and undo one edit of several. */
import { component, f32 } from "espalier";
import { createSceneFormat } from "espalier/scene";
import { Transform2D } from "espalier/transform";
import { openSceneDocument, runBatch, runVerb, VerbError } from "espalier/verbs";

const Health = component("Health", { hp: f32(100) });
const format = createSceneFormat({ components: [Transform2D, Health] });
const document = openSceneDocument(
  format,
  `{
    "entities": [
      { "id": "level", "name": "level", "components": { "Transform2D": { "x": 10 } } },
      { "id": "tank", "name": "tank", "parent": "level", "components": { "Transform2D": { "x": 5 }, "Health": {} } },
      { "id": "crate", "name": "crate", "parent": "level", "components": { "Transform2D": { "x": 8 } } }
    ]
  }`,
);

console.log("A dry run:");
const values = { Health: { hp: 50 } };
console.log(runVerb(document, "set", { entity: "tank", values }, { dryRun: true }).text.trimEnd());

console.log("\nTwo authors:");
console.log(runVerb(document, "set", { entity: "tank", values }, { author: "agent" }).text.trimEnd());
const steps = [
  { verb: "create", parameters: { id: "garage", name: "garage" } },
  { verb: "reparent", parameters: { entities: ["crate"], parent: "garage" } },
];
console.log(runBatch(document, steps, { author: "Ada" }).text.trimEnd());

console.log("\nTake back what the agent did, and nothing else:");
console.log(runVerb(document, "undo", { author: "agent" }).text.trimEnd());

console.log("\nAn edit that others build on:");
runVerb(document, "rename", { entity: "garage", name: "hall" }, { author: "Bob" });
try {
  runVerb(document, "undo", { author: "Ada" });
} catch (error) {
  if (error instanceof VerbError) console.log(error.code, error.edits);
}
