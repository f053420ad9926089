import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { linkDeclarations } from "../../scripts/link-declarations.mjs";

let dist: string;
beforeEach(() => {
  dist = mkdtempSync(join(tmpdir(), "espalier-declarations-"));
});
afterEach(() => rmSync(dist, { recursive: true, force: true }));

/** Links files given by name, and gives the linked ones. */
function linked(files: Record<string, string>, entries: string[]) {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dist, `${name}.d.mts`), text);
  linkDeclarations(dist, entries);
  return Object.fromEntries(
    readdirSync(dist).map((file) => [file.replace(".d.mts", ""), readFileSync(join(dist, file), "utf8")]),
  );
}

describe("linked declarations", () => {
  it("stand in the first entry that exports them, and others import them from there", () => {
    const files = linked(
      {
        "shared-a": `
/** About the file. */

/** A thing. */
interface Thing { readonly id: number; }
/** Makes it. */
declare function make(): Thing;
declare function use(thing: Thing): void;
export { type Thing, make, use };
`,
        index: `export { Thing, make } from "./shared-a.mjs";`,
        tools: `export { Thing, use } from "./shared-a.mjs";`,
      },
      ["index", "tools"],
    );
    expect(files).toEqual({
      index: [
        "/** A thing. */",
        "export interface Thing { readonly id: number; }",
        "/** Makes it. */",
        "export declare function make(): Thing;",
        "export {};",
        "",
      ].join("\n"),
      tools: [
        `import { Thing } from "./index.mjs";`,
        `export { Thing } from "./index.mjs";`,
        "export declare function use(thing: Thing): void;",
        "export {};",
        "",
      ].join("\n"),
    });
  });

  it("leave out what nothing public mentions, and do not export what is only mentioned", () => {
    const { index } = linked(
      {
        "shared-a": `
interface Unused {}
/** Nobody sees this. */
interface Base { a: number; }
interface Thing extends Base {}
export { type Thing, type Unused };
`,
        index: `export { Thing } from "./shared-a.mjs";`,
      },
      ["index"],
    );
    expect(index).toContain("\nexport interface Thing extends Base {}");
    expect(index).toMatch(/^interface Base/);
    expect(index).not.toContain("Unused");
    expect(index).not.toContain("Nobody sees this");
  });

  it("take constructors away whose parameters are not public", () => {
    const { index } = linked(
      {
        "shared-a": `
interface Inside {}
declare class Reader {
  constructor(inside: Inside);
  read(): number;
}
export { Reader };
`,
        index: `export { Reader } from "./shared-a.mjs";`,
      },
      ["index"],
    );
    expect(index).toContain("protected constructor();\n  read(): number;");
    expect(index).not.toContain("Inside");
  });

  it("have the public name, and number hidden ones that are in its way", () => {
    const { index } = linked(
      {
        "shared-a": `
interface Order { a: number; }
declare class OrderView { get order(): Order; }
export { OrderView };
`,
        index: `export { OrderView as Order } from "./shared-a.mjs";`,
      },
      ["index"],
    );
    expect(index).toContain("interface Order$1 { a: number; }");
    expect(index).toContain("export declare class Order { get order(): Order$1; }");
  });

  it("import what other packages declare", () => {
    const { index } = linked(
      {
        index: `
import { Object3D as Node } from "three";
import * as React from "react";
declare function f(node: Node): React.ReactNode;
export { f };
`,
      },
      ["index"],
    );
    expect(index).toContain(`import { Object3D as Node } from "three";`);
    expect(index).toContain(`import * as React from "react";`);
  });

  it("refuse a hidden name that two entries mention", () => {
    const files = {
      "shared-a": `
interface Hidden {}
declare function a(): Hidden;
declare function b(): Hidden;
export { a, b };
`,
      index: `export { a } from "./shared-a.mjs";`,
      tools: `export { b } from "./shared-a.mjs";`,
    };
    expect(() => linked(files, ["index", "tools"])).toThrow(
      "Hidden is not exported, and the declarations of index and tools mention it.",
    );
  });
});
