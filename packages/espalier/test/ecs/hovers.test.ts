/** What an editor shows when the mouse rests on a name: plain types, not how they are computed. */
import { resolve } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../../../..");
const program = `
import { bool, component, createWorld, enumOf, f32, optional, vec2 } from "espalier";
import { createHierarchy, type Hierarchy } from "espalier/hierarchy";
const Health = component("Health", { hp: f32(100), armored: bool() });
const Door = component("Door", { state: enumOf("open", "closed"), at: vec2() });
const world = createWorld();
const e = world.spawn(Health({ hp: 5 }), Door);
export const health = world.get(e, Health);
export const door = world.get(e, Door);
export const columns = world.columns(Health);
world.query(Health, optional(Door)).update((mine, maybe) => { mine.hp = maybe?.atX ?? 0; });
world.query(Health).each((entity, single) => { single.hp = entity; });
world.set(e, Door, { state: "closed" });
const tree = createHierarchy<"grid">(world);
tree.detach(e, { keep: "" });
const anyTree = tree as Hierarchy;
anyTree.attach(e, null, { keep: "" });
`;

interface Editor {
  /** The text for the first occurrence of `name`, on one line. */
  hover(name: string): string;
  /** What is offered behind the first occurrence of `text`. */
  completions(text: string): string[];
}

function createEditor(): Editor {
  const file = resolve(root, "packages/espalier/test/ecs/hovered.ts");
  const read = (name: string) => (name === file ? program : ts.sys.readFile(name));
  const { config } = ts.readConfigFile(resolve(root, "tsconfig.base.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const service = ts.createLanguageService({
    getScriptFileNames: () => [file],
    getScriptVersion: () => "1",
    getScriptSnapshot: (name) => {
      const text = read(name);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => root,
    getCompilationSettings: () => options,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    readFile: read,
    directoryExists: ts.sys.directoryExists,
  });
  return {
    hover(name) {
      const at = program.search(new RegExp(`\\b${name}\\b`));
      const parts = service.getQuickInfoAtPosition(file, at)?.displayParts ?? [];
      return ts.displayPartsToString(parts).replace(/\s+/g, " ");
    },
    completions(text) {
      const at = program.indexOf(text) + text.length;
      return (service.getCompletionsAtPosition(file, at, {})?.entries ?? []).map(({ name }) => name);
    },
  };
}

describe("what an editor shows", () => {
  const { hover, completions } = createEditor();

  it.each([
    ["health", "const health: { hp: number; armored: boolean; } | undefined"],
    ["door", 'const door: { state: "open" | "closed"; atX: number; atY: number; } | undefined'],
    ["mine", "(parameter) mine: { hp: number; armored: boolean; }"],
    ["maybe", '(parameter) maybe: { state: "open" | "closed"; atX: number; atY: number; } | undefined'],
    ["single", "(parameter) single: { hp: number; armored: boolean; }"],
    [
      "Health",
      'const Health: Component<{ readonly hp: Field<number, "f32">; readonly armored: Field<boolean, "bool">; }>',
    ],
  ])("for %s is a plain type", (name, text) => {
    expect(hover(name)).toBe(text);
  });

  it("for a call of set lists the fields and their values", () => {
    expect(hover("set")).toContain('readonly state?: "open" | "closed"; readonly atX?: number;');
  });

  it("for keep is the names of the tree's spaces", () => {
    // The order within a union is that in which the compiler met its members.
    const names = (text: string) => (text.match(/"\w+"/g) ?? []).sort();
    expect(hover("tree")).toMatch(/^const tree: Hierarchy<[^>]*>$/);
    expect(names(hover("tree"))).toEqual(['"grid"', '"rect"', '"world"']);
    expect(names(hover("keep").split("keep?:")[1]!)).toEqual(['"grid"', '"rect"', '"world"']);
    expect(completions('tree.detach(e, { keep: "').sort()).toEqual(["grid", "rect", "world"]);
  });

  it("for keep of a tree whose spaces are not known is those of the library", () => {
    expect(completions('anyTree.attach(e, null, { keep: "').sort()).toEqual(["rect", "world"]);
  });
});
