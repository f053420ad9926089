import fc from "fast-check";
import { LoroDoc } from "loro-crdt";
import { describe, expect, it } from "vitest";
import { sharedSchemaOf } from "../src/document/shared-schema.ts";
import { createPeer, Data, faultsOf, format, Health, Party, type Peer, syncAll } from "./peers.ts";

/** What a program that knows no fields may write into the values of nodes. */
const nonsense = fc.oneof(
  fc.constantFrom<string | number | boolean | null>(
    "NaN",
    "open",
    "",
    "a/b",
    "[]",
    "[1]",
    "{",
    "null",
    '["7@1"]',
    '[{"target":5}]',
    '{"$":"date","value":"never"}',
    true,
    false,
    null,
    -1,
    1e300,
  ),
  fc.double(),
  fc.string({ maxLength: 5 }),
);

describe("values that no world can take", () => {
  it("count as missing on all peers, are listed as problems, and end no session", () => {
    const fields = [...sharedSchemaOf(format).fieldAt.keys()];
    const keys = [...fields, "+Health", "+Nothing", "@name", "@id", "other"];
    const written = fc.array(fc.tuple(fc.nat(20), fc.constantFrom(...keys), nonsense), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(written, (values) => {
        const a = createPeer();
        const b = createPeer(a);
        const stranger = new LoroDoc();
        stranger.import(a.doc.export({ mode: "snapshot" }));
        const nodes = stranger.getTree("scene").getNodes({ withDeleted: false });
        for (const [k, key, value] of values) nodes[k % nodes.length]?.data.set(key, value);
        stranger.commit();
        const update = stranger.export({ mode: "update", from: a.doc.version() });
        for (const { doc, binding } of [a, b]) {
          doc.import(update);
          expect(binding.receive()).toBe(true);
        }
        syncAll([a, b]);
        expect(faultsOf(a)).toEqual([]);
        expect(faultsOf(b)).toEqual([]);
        const text = a.scene.save({ outside: "null" });
        expect(b.scene.save({ outside: "null" })).toBe(text);
        expect(createPeer(a, `{ "entities": [] }`).scene.save({ outside: "null" })).toBe(text);
      }),
      { numRuns: 20 },
    );
  });

  /** What a program that knows no fields writes into a field of `ground`. */
  function writeNonsense(peer: Peer, key: string, value: string): void {
    const stranger = new LoroDoc();
    stranger.import(peer.doc.export({ mode: "snapshot" }));
    const id = peer.binding.shared.nodeOf(peer.scene.entity("ground"));
    stranger
      .getTree("scene")
      .getNodeByID(id as never)
      ?.data.set(key, value);
    stranger.commit();
    peer.doc.import(stranger.export({ mode: "update", from: peer.doc.version() }));
    peer.binding.receive();
  }

  it("are listed until another value is written", () => {
    const a = createPeer();
    const ground = a.scene.entity("ground");
    writeNonsense(a, "Health.hp", "much");
    expect(a.binding.problems).toEqual([
      {
        code: "ecs/invalid-value",
        entities: [ground],
        message: 'Health.hp takes a number, and the document has "much"',
      },
    ]);
    expect(a.tree.world.get(ground, Health)?.hp).toBe(100);
    a.tree.world.set(ground, Health, { hp: 5 });
    a.binding.flush();
    a.binding.updateProblems();
    expect(a.binding.problems).toEqual([]);
    expect(faultsOf(a)).toEqual([]);
  });

  it.each(["[".repeat(300) + "]".repeat(300), "[".repeat(1000) + "]".repeat(1000), `{"$":"nothing"}`])(
    "are listed too when they are JSON, but not the value of an object field",
    (text) => {
      const a = createPeer();
      const ground = a.scene.entity("ground");
      a.tree.world.add(ground, Data({ value: 1 }));
      a.binding.flush();
      writeNonsense(a, "Data.value", text);
      expect(a.binding.problems).toMatchObject([{ code: "ecs/invalid-value", entities: [ground] }]);
      a.tree.world.set(ground, Data, { value: 2 });
      a.binding.flush();
      a.binding.updateProblems();
      expect(a.binding.problems).toEqual([]);
      expect(faultsOf(a)).toEqual([]);
    },
  );

  it("are listed too when the text of a codec, or what was kept, is nested too deep", () => {
    const a = createPeer();
    const ground = a.scene.entity("ground");
    a.tree.world.add(ground, Party({ members: new Set([ground]) }));
    a.binding.flush();
    const deep = "[".repeat(200_000) + "]".repeat(200_000);
    writeNonsense(a, "Party.members", deep);
    writeNonsense(a, "@kept", `{"components":{"Other":${deep}}}`);
    expect(a.binding.problems.map(({ code }) => code)).toEqual(["ecs/invalid-value", "ecs/invalid-value"]);
    a.tree.world.set(ground, Party, { members: new Set([ground]) });
    expect(a.binding.flush()).toBe(true);
    expect(faultsOf(a)).toEqual([]);
  });

  it("are listed too when a codec cannot read them, until another value is written or the component is removed", () => {
    const a = createPeer();
    const ground = a.scene.entity("ground");
    const { world } = a.tree;
    const members = new Set([ground]);
    world.add(ground, Party({ members }));
    const repairs = [
      () => world.set(ground, Party, { members: new Set([ground]) }),
      () => world.remove(ground, Party),
    ];
    for (const repair of repairs) {
      a.binding.flush();
      writeNonsense(a, "Party.members", "5");
      expect(a.binding.problems).toEqual([
        {
          code: "ecs/invalid-value",
          entities: [ground],
          message:
            "The codec of Party.members cannot read the value in the document: json.map is not a function",
        },
      ]);
      expect(world.get(ground, Party)?.members).toEqual(members);
      repair();
      a.binding.flush();
      a.binding.updateProblems();
      expect(a.binding.problems).toEqual([]);
    }
    expect(faultsOf(a)).toEqual([]);
  });
});
