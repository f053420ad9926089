import { createSceneFormat } from "espalier/scene";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFormat, emptyTree, Props } from "./scenes.ts";

const format = createFormat();

/** The faults of a text as `line:column message`. */
function faultsOf(text: string): string[] {
  return format.check(text).map(({ line, column, message, code }) => {
    expect(code).toBe("scene/syntax");
    return `${line}:${column} ${message}`;
  });
}

describe("the text of a scene", () => {
  it.each([
    ["", ['1:1 The file is empty. A scene is at least { "entities": [] }.']],
    [" // only a comment", ['1:19 The file is empty. A scene is at least { "entities": [] }.']],
    [
      `{ "entities": [] } x`,
      ["1:20 There is text after the end of the scene. Remove it, or look for an extra bracket."],
    ],
    [`{ "entities": [`, ["1:16 The file ends before the [ of line 1 is closed. Add the missing ]."]],
    [`{\n"entities": [{]\n}`, ["2:15 Found ] where the { of line 2 must be closed with }."]],
    [`{ "entities": [{} {}] }`, ["1:18 A comma is missing here."]],
    [`{ "entities": [{},, {}] }`, ["1:19 There are two commas in a row. Remove one."]],
    [`{ "entities" [] }`, ["1:14 A colon is missing between the key and its value."]],
    [`{ entities: [] }`, ['1:3 The key entities needs quotes: "entities".']],
    [`{ 'entities': [] }`, ['1:3 Strings are written in double quotes: ".']],
    [`{ "entities": [], "$schema": }`, ["1:30 A value is missing here."]],
    [
      `{ "entities": [], "version": True }`,
      ["1:30 True is not a JSON value. Strings need quotes; the keywords are true, false and null."],
    ],
    [`{ "entities": [], "version": 01 }`, ["1:30 01 is not how JSON writes numbers. Write 1."]],
    [`{ "entities": [], "version": .5 }`, ["1:30 .5 is not how JSON writes numbers. Write 0.5."]],
    [`{ "entities": [], "version": +1 }`, ["1:30 +1 is not how JSON writes numbers. Write 1."]],
    [`{ "entities": [], "version": 0x10 }`, ["1:30 0x10 is not how JSON writes numbers. Write 16."]],
    [
      `{ "entities": [], "version": NaN }`,
      ['1:30 NaN is not how JSON writes numbers. Write "NaN" in quotes where a float field should hold it.'],
    ],
    [`{ "entities": [], "version": @ }`, ["1:30 Expected a value, found @."]],
    [`{ "entities": [], "$schema": "abc\n}`, ['1:30 This string is never closed. Add " at its end.']],
    [
      `{ "entities": [], "$schema": "a\tb" }`,
      ["1:32 This string contains a control character. Write it as \\t."],
    ],
    [
      `{ "entities": [], "$schema": "\\x" }`,
      ["1:31 A backslash before x means nothing. Write \\\\ for the character itself."],
    ],
    [`{ "entities": [], "$schema": "\\u12" }`, ["1:31 \\u needs four hexadecimal digits after it."]],
    [
      `{ "entities": [] /* never`,
      [
        "1:18 This comment is never closed. End it with */.",
        "1:26 The file ends before the { of line 1 is closed. Add the missing }.",
      ],
    ],
    [`{\u00a0"entities": [] }`, ["1:2 There is an invisible character here. Replace it with a plain space."]],
    [
      `{ "entities": [], "version": 1, "version": 1 }`,
      ['1:33 The key "version" appears twice in the same object. Remove one.'],
    ],
  ])("is checked: %j", (text, faults) => {
    expect(faultsOf(text)).toEqual(faults);
  });

  it("shows all faults of a file at once", () => {
    expect(
      faultsOf(`{
  entities: [
    { "id": 'tank' "name": "Tank" },
    { "id": "rock", "components": { "Health": { "hp": 05 } },
    { "id": "tree }
  ]
}`),
    ).toEqual([
      '2:3 The key entities needs quotes: "entities".',
      '3:13 Strings are written in double quotes: ".',
      "3:19 A comma is missing here.",
      "4:55 05 is not how JSON writes numbers. Write 5.",
      "5:5 Found { where a key is expected. Is a } missing before it?",
      '5:13 This string is never closed. Add " at its end.',
      "6:3 Found ] where the { of line 5 must be closed with }.",
    ]);
  });

  it("stops after a hundred faults", () => {
    expect(faultsOf(`[${"@ ".repeat(500)}]`).length).toBe(100);
  });

  it("is read as JSON.parse reads it, comments or not", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5, noneProto: true } as never), fc.boolean(), (value, pretty) => {
        const text = JSON.stringify(value, null, pretty ? 2 : 0);
        const scene = format.load(
          emptyTree(),
          `/* slow way */ { "entities": [{ "id": "a", "components": { "Props": { "values": { "v": ${text}, } } } }] }`,
        );
        expect(scene.tree.world.get(scene.entity("a"), Props)).toEqual({ values: { v: JSON.parse(text) } });
      }),
      { numRuns: 300 },
    );
  });

  it("may be anything: broken texts give problems, never another error", () => {
    const sound = `{ "version": 1, "entities": [{ "id": "a", "name": "b", "children": [{}] }, { "parent": "a" }] }`;
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(sound.length), fc.nat(4), fc.string({ maxLength: 4 })), { maxLength: 4 }),
        (edits) => {
          let text = sound;
          for (const [at, cut, put] of edits) text = text.slice(0, at) + put + text.slice(at + cut);
          let parsed: unknown;
          try {
            parsed = JSON.parse(text);
          } catch {}
          const problems = format.check(text);
          if (parsed !== undefined) {
            const faults = problems.filter(({ code }) => code === "scene/syntax");
            expect(faults.every(({ message }) => message.includes("appears twice"))).toBe(true);
          }
          for (const { line, column } of problems) {
            expect(line).toBeGreaterThan(0);
            expect(column).toBeGreaterThan(0);
          }
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("keeps keys that have a meaning in JavaScript as plain keys", () => {
    const text = `{ "entities": [{ "id": "a", "components": { "Props": { "values": { "__proto__": { "x": 1 }, "constructor": 2 } } } }] }`;
    for (const form of [text, `// slow\n${text}`]) {
      const scene = format.load(emptyTree(), form);
      const values = scene.tree.world.get(scene.entity("a"), Props)?.values as object;
      expect(Object.keys(values)).toEqual(["__proto__", "constructor"]);
      expect(Object.getPrototypeOf(values)).toBe(Object.prototype);
      expect(scene.save()).toContain(`{ "__proto__": { "x": 1 }, "constructor": 2 }`);
    }
    const polluted = createSceneFormat({ components: [] }).check(
      `{ "entities": [{ "components": { "__proto__": {} } }] }`,
    );
    expect(polluted.map(({ code }) => code)).toEqual(["scene/unknown-component"]);
  });
});
