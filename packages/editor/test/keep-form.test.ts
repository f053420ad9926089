import { parseScene } from "espalier/scene";
import { describe, expect, it } from "vitest";
import { openDocument } from "../src/document/document.ts";
import { hasComments, keepForm } from "../src/files/keep-form.ts";
import { format } from "./open.ts";

const commented = `// The yard.
{
  "$schema": "./scene.schema.json",
  "entities": [ // from the front to the back
    // Where everything is.
    {
      "id": "yard", "name": "yard", // the root
      "components": {
        "Transform2D": { "x": 10, "y": 20 }, /* in pixels */
        "Health": { "hp": 100 } // the default, written down
      },
      "children": [
        { "id": "gate", "name": "gate" }, // to the street
        { "name": "bush", "components": { "Health": { "hp": 5 } } },
      ],
    },
    // Alone.
    { "id": "rock" }
  ],
}
`;

const canonical = (text: string) => openDocument(format, text).save();

/** What is written after an edit of the saved text. */
function after(text: string, change: (saved: string) => string): string {
  const before = canonical(text);
  const next = canonical(change(before));
  const { text: written, areCommentsLost } = keepForm(text, before, next);
  expect(areCommentsLost).toBe(false);
  // Whatever it looks like, it is the scene.
  expect(canonical(written)).toBe(next);
  return written;
}

const replaced = (text: string, from: string, to: string) => {
  expect(text).toContain(from);
  return text.replace(from, to);
};

describe("a file with comments and nested entities", () => {
  it("stays as it is, byte by byte, when nothing changed", () => {
    expect(after(commented, (saved) => saved)).toBe(commented);
  });

  it("changes where a value changed, and nowhere else", () => {
    const text = replaced(commented, `{ "name": "bush"`, `{ "id": "bush", "name": "bush"`);
    expect(after(text, (saved) => replaced(saved, `"x": 10`, `"x": 11`))).toBe(
      replaced(text, `"x": 10`, `"x": 11`),
    );
    expect(after(text, (saved) => replaced(saved, `"hp": 5`, `"hp": 6`))).toBe(
      replaced(text, `"hp": 5`, `"hp": 6`),
    );
  });

  it("gets ids where it has none, once something changes: references rely on them", () => {
    expect(after(commented, (saved) => replaced(saved, `"x": 10`, `"x": 11`))).toContain(
      `{ "id": "bush", "name": "bush", "components": { "Health": { "hp": 5 } } },`,
    );
  });

  it("gets new fields, components and entities in its own form", () => {
    const written = after(commented, (saved) => {
      const file = JSON.parse(saved);
      file.entities.find(({ id }: { id: string }) => id === "rock").components = { Health: { hp: 7 } };
      file.entities.push({ id: "door", name: "door", parent: "gate", components: { Transform2D: { x: 3 } } });
      file.entities.push({ id: "sky", components: { Rusty: {}, Health: { hp: 1 } } });
      return JSON.stringify(file);
    });
    expect(written).toContain(`{ "id": "rock", "components": { "Health": { "hp": 7 } } }`);
    expect(written).toContain("// to the street");
    expect(written).toContain("// The yard.");
    expect(parseScene(written).entities.map(({ id }) => id)).toEqual(["yard", "rock", "sky"]);
  });

  it("loses what was deleted, with the comment above it", () => {
    const written = after(commented, (saved) => {
      const file = JSON.parse(saved);
      file.entities = file.entities.filter(({ id }: { id: string }) => id !== "rock" && id !== "gate");
      return JSON.stringify(file);
    });
    expect(written).not.toContain("Alone");
    expect(written).toContain("// Where everything is.");
    expect(written).toContain("/* in pixels */");
  });

  it("moves an entity with the comments inside it", () => {
    const text = replaced(commented, `{ "id": "rock" }`, `{ "id": "rock", /* hard */ "name": "rock" }`);
    const written = after(text, (saved) => {
      const file = JSON.parse(saved);
      file.entities.find(({ id }: { id: string }) => id === "rock").parent = "gate";
      return JSON.stringify(file);
    });
    expect(written).toContain(`"rock", /* hard */ "name"`);
    const [yard] = parseScene(written).entities;
    expect(yard?.children?.[0]?.children?.[0]?.id).toBe("rock");
  });

  it("follows another order", () => {
    const written = after(commented, (saved) => {
      const file = JSON.parse(saved);
      file.entities.unshift(file.entities.pop());
      return JSON.stringify(file);
    });
    expect(parseScene(written).entities.map(({ id }) => id)).toEqual(["rock", "yard"]);
    expect(written.indexOf("// Alone.")).toBeLessThan(written.indexOf("// Where everything is."));
  });
});

describe("other files", () => {
  it("that were written by saving are written so again", () => {
    const before = canonical(commented);
    const next = replaced(before, `"x": 10`, `"x": 11`);
    expect(keepForm(before, before, next)).toEqual({ text: next, areCommentsLost: false });
  });

  it("that are flat stay flat, with their own spacing", () => {
    const text = `{"entities":[{"id":"a"},{"id":"b","parent":"a","components":{"Health":{"hp":3}}}]}`;
    expect(after(text, (saved) => replaced(saved, `"hp": 3`, `"hp": 4`))).toBe(
      text.replace(`"hp":3`, `"hp":4`),
    );
  });

  it("with Windows line ends keep them around what changed", () => {
    const own = replaced(commented, `{ "name": "bush"`, `{ "id": "bush", "name": "bush"`);
    const text = own.replaceAll("\n", "\r\n");
    const written = after(text, (saved) => replaced(saved, `"x": 10`, `"x": 11`));
    expect(written).toBe(text.replace(`"x": 10`, `"x": 11`));
  });

  it("nested deeper than can be followed are written as usual, and lost comments are said", () => {
    const depth = 20_000;
    const open = Array.from({ length: depth }, (_, k) => `{"id":"e${k}","children":[`).join("");
    const text = `// deep\n{"entities":[${open}${"]}".repeat(depth)}]}`;
    const before = canonical(text);
    const { text: written, areCommentsLost } = keepForm(text, before, before);
    expect([written === before, areCommentsLost]).toEqual([true, true]);
  });

  it("have comments outside of texts", () => {
    expect(hasComments(`{ "a": "// no", "b": "\\"/* no */" }`)).toBe(false);
    expect(hasComments(`{ "a": 1 / 2 }`)).toBe(false);
    expect(hasComments(`{ "a": 1 } // yes`)).toBe(true);
    expect(hasComments(`/* yes */ {}`)).toBe(true);
  });
});
