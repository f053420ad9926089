/** Random edits of a world, sent through the encoder and decoder of Colyseus: the world of the client is the part of the server's that it sees. */
import { type Decoder, Encoder, Reflection, StateView } from "@colyseus/schema";
import { Mirror } from "@espalier/colyseus/server";
import { createWorld, type Entity, type World } from "espalier";
import { createHierarchy, type Hierarchy } from "espalier/hierarchy";
import { Transform2D } from "espalier/transform";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Incoming } from "../src/client/incoming.ts";
import { Sights } from "../src/server/sights.ts";
import { Aims, Flag, Health, net } from "./testing.ts";

interface Side {
  readonly world: World;
  readonly tree: Hierarchy;
}

function side(): Side {
  const world = createWorld();
  return { world, tree: createHierarchy(world) };
}

/** One edit, drawn from numbers; one that makes no sense does nothing. */
function edit({ world, tree }: Side, [kind, a, b, c]: readonly number[]): void {
  const all = world.entities();
  const one = all[a! % Math.max(1, all.length)];
  const other = all[b! % Math.max(1, all.length)];
  if (one === undefined || kind! < 3) {
    tree.attachNew(b! % 3 === 0 ? null : (other ?? null), Transform2D({ x: a! % 400, y: b! % 300 }), Flag());
    return;
  }
  switch (kind) {
    case 3:
    case 4:
      if (other !== undefined && tree.canAttach(one, other)) tree.attach(one, other, { at: 0 });
      break;
    case 5:
      tree.detach(one);
      break;
    case 6: {
      const parent = tree.parentOf(one);
      const count = tree.childrenOf(parent).length;
      tree.moveChild(one, b! % count);
      break;
    }
    case 7:
      if (c! % 3 === 0) tree.destroy(one, { children: c! % 2 === 0 ? "orphan" : "cascade" });
      break;
    case 8:
      tree.setName(one, c! % 4 === 0 ? undefined : `n${c}`);
      break;
    case 9:
      if (world.has(one, Health)) world.remove(one, Health);
      else world.add(one, Health({ hp: c!, note: `é${c}` }));
      break;
    case 10:
      if (world.has(one, Flag)) world.remove(one, Flag);
      else world.add(one, Flag());
      break;
    case 11:
      if (world.has(one, Aims)) world.set(one, Aims, { at: c! % 5 === 0 ? null : (other ?? null) });
      else world.add(one, Aims({ at: other ?? null }));
      break;
    default:
      world.query(Transform2D).update((transform) => {
        transform.x += (c! % 7) / 4;
        transform.rotation += 1;
      });
  }
}

/** Compares every entity that the client is to have with the server's. */
function expectSame(
  there: Side,
  here: Side,
  mirror: Mirror,
  incoming: Incoming,
  sees: (entity: Entity) => boolean,
) {
  const seen = there.world.entities().filter(sees);
  expect(incoming.ids.size).toBe(seen.length);
  expect(here.world.count).toBe(seen.length);
  const hereOf = (entity: Entity | null) =>
    entity === null || !sees(entity) ? null : incoming.ids.entityOf(entity)!;
  for (const entity of seen) {
    const copy = incoming.ids.entityOf(entity)!;
    expect(here.world.isAlive(copy)).toBe(true);
    expect(here.tree.parentOf(copy)).toBe(hereOf(there.tree.parentOf(entity)));
    expect(here.tree.nameOf(copy)).toBe(there.tree.nameOf(entity));
    expect(here.world.has(copy, Flag)).toBe(there.world.has(entity, Flag));
    expect(here.world.get(copy, Health)).toEqual(there.world.get(entity, Health));
    const aims = there.world.get(entity, Aims);
    expect(here.world.get(copy, Aims)).toEqual(aims && { at: hereOf(aims.at as Entity | null) });
    const transform = there.world.get(entity, Transform2D)!;
    const shown = here.world.get(copy, Transform2D)!;
    expect(shown.x).toBeCloseTo(Math.max(-512, Math.min(512, transform.x)), 1);
    const turn = Math.PI * 2;
    expect(Math.cos(shown.rotation)).toBeCloseTo(Math.cos(transform.rotation % turn), 3);
    expect(here.tree.childrenOf(copy)).toEqual(there.tree.childrenOf(entity).filter(sees).map(hereOf));
    expect(mirror.entityOf(mirror.stateOf(entity)!)).toBe(entity);
  }
  const roots = here.tree.childrenOf(null);
  expect(roots).toEqual(there.tree.childrenOf(null).filter(sees).map(hereOf));
}

const edits = fc.array(
  fc.array(fc.tuple(...Array.from({ length: 4 }, (_, k) => fc.nat(k === 0 ? 12 : 400))), { maxLength: 12 }),
  {
    minLength: 1,
    maxLength: 14,
  },
);

function decoderOf(encoder: Encoder): Decoder {
  return Reflection.decode(Reflection.encode(encoder));
}

/** A room as a client of Colyseus has it. */
const roomOf = (decoder: Decoder) => ({ state: decoder.state as unknown, serializer: { decoder } });

test("a client that sees everything equals the server after every patch, also one that joins late", () => {
  fc.assert(
    fc.property(edits, fc.nat(10), (rounds, late) => {
      const there = side();
      edit(there, [0, 1, 0, 0]);
      const mirror = new Mirror(net, there);
      const encoder = new Encoder(mirror.state);
      const clients: { decoder: Decoder; incoming: Incoming; here: Side }[] = [];
      const join = () => {
        const decoder = decoderOf(encoder);
        const here = side();
        const incoming = new Incoming(net, roomOf(decoder), here);
        decoder.decode(encoder.encodeAll());
        incoming.apply(() => false);
        clients.push({ decoder, incoming, here });
      };
      join();
      encoder.discardChanges();
      rounds.forEach((list, n) => {
        for (const numbers of list) edit(there, numbers);
        mirror.read();
        const bytes = encoder.encode().slice();
        for (const { decoder, incoming } of clients) {
          decoder.decode(bytes);
          incoming.apply(() => false);
        }
        encoder.discardChanges();
        if (n === late) join();
        for (const { incoming, here } of clients) expectSame(there, here, mirror, incoming, () => true);
      });
    }),
    { numRuns: 100 },
  );
});

test("a client with a view equals what it sees, whatever comes into sight and leaves it", () => {
  fc.assert(
    fc.property(edits, (rounds) => {
      const there = side();
      edit(there, [0, 1, 0, 0]);
      const mirror = new Mirror(net, there, { viewed: true });
      let modulus = 2;
      const wants = (entity: Entity) => entity % modulus === 0;
      const sights = new Sights(there, mirror, wants);
      const viewer = { sessionId: "a", owned: new Set<Entity>() };
      const encoder = new Encoder(mirror.state);
      const view = new StateView();
      const decoder = decoderOf(encoder);
      const here = side();
      const incoming = new Incoming(net, roomOf(decoder), here);
      sights.look(viewer, view);
      const it = { offset: 0 };
      encoder.encodeAll(it);
      decoder.decode(encoder.encodeAllView(view, it.offset, it));
      encoder.discardChanges();
      view.changes.clear();
      incoming.apply(() => false);
      rounds.forEach((list, n) => {
        for (const numbers of list) edit(there, numbers);
        modulus = 1 + (n % 4);
        mirror.read();
        sights.look(viewer, view);
        const at = { offset: 0 };
        encoder.encode(at);
        decoder.decode(encoder.encodeView(view, at.offset, at));
        encoder.discardChanges();
        incoming.apply(() => false);
        const seen = new Set<Entity>();
        for (const entity of there.world.entities().filter(wants)) {
          for (let up: Entity | null = entity; up !== null; up = there.tree.parentOf(up)) seen.add(up);
        }
        expectSame(there, here, mirror, incoming, (entity) => seen.has(entity));
      });
    }),
    { numRuns: 100 },
  );
});
