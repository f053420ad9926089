import { describe, expect, it } from "vitest";
import { conditions, withCondition, words } from "../../scripts/build-condition.mjs";
import { packageSources } from "../structure/source-files.ts";

const built = (code: string, condition: keyof typeof conditions) =>
  withCondition(code, "a.ts", condition).code;

describe("the code of a build", () => {
  it("has the literal of the build where DEVELOPMENT is used and declared, and names it in imports and exports", () => {
    const code = `import { DEVELOPMENT } from "./a.ts"; export { DEVELOPMENT } from "./b.ts"; if (DEVELOPMENT) help();`;
    expect(built(code, "production")).toBe(code.replace("(DEVELOPMENT)", "(false)"));
    expect(built(code, "development")).toBe(code.replace("(DEVELOPMENT)", "(true)"));
    expect(built(code, "default")).toBe(code.replace("(DEVELOPMENT)", `(${conditions.default})`));
    expect(built("export const DEVELOPMENT: boolean = maybe();", "production")).toBe(
      "export const DEVELOPMENT: boolean = false;",
    );
  });

  it("names its build", () => {
    expect(built(`const BUILD: string = "source";`, "default")).toBe(`const BUILD: string = "default";`);
  });

  it("makes messages of errors only in development, and keeps the other arguments", () => {
    const code = 'throw new DeadEntityError("Cannot " + doing, { entities: [entity] });';
    expect(built(code, "development")).toBe(code);
    expect(built(code, "production")).toBe(
      'throw new DeadEntityError((false ? "Cannot " + doing : ""), { entities: [entity] });',
    );
  });

  it("does so for messages that classes of errors make themselves, and for errors in messages", () => {
    const code =
      'class GoneError extends SceneError { constructor(what: string) { super("a/b", what + "!", {}); } }';
    expect(built(code, "production")).toContain('super("a/b", (false ? what + "!" : ""), {})');
    expect(built('new AError(String(new BError("b")))', "production")).toBe(
      'new AError((false ? String(new BError((false ? "b" : ""))) : ""))',
    );
  });

  it("keeps the messages of JavaScript's own errors, and calls of super in other classes", () => {
    const code = `class Base extends Error { constructor() { super("a", "b"); } } class Other extends Base { constructor() { super("a", "b"); } } throw new TypeError("no");`;
    expect(built(code, "production")).toBe(code);
  });

  it("looks at the spelling of options only in development", () => {
    const code = `checkOptions(true, "walk", options, kinds);`;
    expect(built(code, "development")).toBe(code);
    expect(built(code, "production")).toBe(
      `checkOptions(true, (false ? "walk" : ""), options, (false ? kinds : {}));`,
    );
  });

  it("puts words into the checks of arguments only in development, and keeps what is asked and named", () => {
    const code = `expectArguments("walk", ["the start", start, { expected: "a door", fits: isDoor }]); refuseArgument(value, "walk", "it", "a door");`;
    expect(built(code, "development")).toBe(code);
    expect(built(code, "production")).toBe(
      `expectArguments((false ? "walk" : ""), ["the start", start, { expected: (false ? "a door" : ""), fits: isDoor }]); refuseArgument(value, (false ? "walk" : ""), "it", (false ? "a door" : ""));`,
    );
    const others = `const a = { expected: "x" }, b = { expected, fits };`;
    expect(built(others, "production")).toBe(others);
  });

  it("takes nothing but words from the functions it names, each of which there is once", () => {
    const declared = packageSources().flatMap(({ text }) =>
      [...text.matchAll(/function (\w+)\(([^)]*)\)/g)].flatMap(([, name = "", given = ""]) => {
        const parameters = given.split(",").map((each) => each.trim().split(":")[0]);
        return words.has(name) ? [[name, words.get(name)?.map((at) => parameters[at])]] : [];
      }),
    );
    expect(declared).toHaveLength(words.size);
    expect(Object.fromEntries(declared)).toEqual({
      checkOptions: ["doing"],
      expectArguments: ["doing"],
      explainThrown: ["doing"],
      refuseArgument: ["doing", "expected"],
      refuseUse: ["doing", "why"],
      refuseCall: ["doing", "why"],
      refuseAtlas: ["why", "help"],
    });
  });

  it("has a map that leads back to the source", () => {
    const { map } = withCondition("\nthrow new AError(`x`);\n", "a.ts", "production");
    expect(JSON.parse(map)).toMatchObject({ sources: ["a.ts"] });
  });
});
