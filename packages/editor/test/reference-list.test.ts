import { component, type Entity, entityRefs, f32 } from "espalier";
import { describe, expect, it } from "vitest";
import { changeList } from "../src/commands/components/change-list.ts";
import { openDocument } from "../src/document/document.ts";
import { createEditorFormat } from "../src/document/format.ts";
import {
  adding,
  type Item,
  removing,
  retargeting,
  settingDatum,
} from "../src/document/values/reference-list.ts";
import { at, names } from "./open.ts";

const Likes = component("Likes", { who: entityRefs() });
const Locks = component("Locks", { with: entityRefs({ data: { turns: f32(1) } }) });
const format = createEditorFormat([Likes, Locks]);

function open() {
  const document = openDocument(
    format,
    JSON.stringify({
      entities: [
        ...["a", "b", "c", "d"].map((id) => ({ id, name: id })),
        { id: "one", components: { Likes: { who: ["a", "b", "c"] } } },
        { id: "two", components: { Likes: { who: ["b", "d"] } } },
        { id: "none", components: { Likes: {} } },
        { id: "other" },
      ],
    }),
  );
  const selected = ["one", "two", "none", "other"].map((id) => at(document, id));
  const [a, b, c, d] = ["a", "b", "c", "d"].map((id) => at(document, id)) as [Entity, Entity, Entity, Entity];
  const lists = () =>
    selected.slice(0, 3).map((entity) => names(document, document.world.get(entity, Likes)!.who).join(" "));
  return { document, world: document.world, selected, lists, a, b, c, d };
}

describe("an edit of a list of references of several entities", () => {
  it("changes the entry at one index of each list, and keeps the rest", () => {
    const { document, selected, lists, a, c, d } = open();
    const first = { at: 0, target: undefined };
    changeList(document, selected, Likes, "who", retargeting(first, c));
    // The first has it already.
    expect(lists()).toEqual(["a b c", "c d", ""]);
    changeList(document, selected, Likes, "who", retargeting({ at: 1, target: undefined }, a));
    expect(lists()).toEqual(["a b c", "c a", ""]);
    changeList(document, selected, Likes, "who", adding(d, false));
    expect(lists()).toEqual(["a b c d", "c a d", "d"]);
    changeList(document, selected, Likes, "who", removing({ at: 1, target: undefined }));
    expect(lists()).toEqual(["a c d", "c d", "d"]);
    expect(document.history.undoLabels).toHaveLength(4);
    for (let k = 0; k < 4; k++) document.undo();
    expect(lists()).toEqual(["a b c", "b d", ""]);
  });

  it("follows an entry whose target is known, whatever index it has by then", () => {
    const { document, selected, lists, a, b, d } = open();
    changeList(document, selected, Likes, "who", removing({ at: 0, target: b }));
    expect(lists()).toEqual(["a c", "d", ""]);
    changeList(document, selected, Likes, "who", retargeting({ at: 5, target: d }, a));
    expect(lists()).toEqual(["a c", "a", ""]);
  });

  it("keeps the data of pairs, whose targets and values change one at a time", () => {
    const { document, world, selected, a, b, c } = open();
    const [one, two] = selected as [Entity, Entity];
    world.add(one, Locks({ with: [{ target: a, turns: 2 }] }));
    world.add(
      two,
      Locks({
        with: [
          { target: b, turns: 3 },
          { target: c, turns: 1 },
        ],
      }),
    );
    const pairs = () =>
      [one, two].map((entity) =>
        (world.get(entity, Locks)!.with as readonly { target: Entity; turns: number }[]).map(
          ({ target, turns }) => `${document.label(target)} ${turns}`,
        ),
      );
    changeList(document, [one, two], Locks, "with", adding(c, true));
    expect(pairs()).toEqual([
      ["a 2", "c 1"],
      ["b 3", "c 1"],
    ]);
    changeList(
      document,
      [one, two],
      Locks,
      "with",
      retargeting({ at: 0, target: undefined }, at(document, "d")),
    );
    expect(pairs()).toEqual([
      ["d 2", "c 1"],
      ["d 3", "c 1"],
    ]);
    changeList(document, [one, two], Locks, "with", settingDatum({ at: 0, target: c }, "turns", 7));
    expect(pairs()).toEqual([
      ["d 2", "c 7"],
      ["d 3", "c 7"],
    ]);
    // Refused for one of them: for none.
    const before = pairs();
    const bad = (list: readonly Item[]) =>
      list.map((item, k) => (k === 0 ? { ...(item as object), turns: "many" } : item)) as Item[];
    expect(() => changeList(document, [one, two], Locks, "with", bad)).toThrow("turns");
    expect(pairs()).toEqual(before);
  });
});
