import { getMessageBytes, Protocol, ProtocolModifier } from "@colyseus/core";
import { Encoder, Reflection } from "@colyseus/schema";
import { Room } from "@colyseus/sdk";
import { angle, fields, range, replicate } from "@espalier/colyseus";
import { follow } from "@espalier/colyseus/client";
import { Mirror, Sights } from "@espalier/colyseus/server";
import { component, createWorld, f32 } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createTransforms2D, Transform2D } from "espalier/transform";
import { DISTANCE, encoding, ownedBy, SIZE, spread } from "./shared.mjs";

const Place = component("Place", { x: f32(), y: f32(), rotation: f32() });
const Drive = component("Drive", { throttle: f32() });
const net = replicate({
  components: [fields(Place, { x: range(-512, 512), y: range(-512, 512), rotation: angle() })],
  input: Drive,
});

function patch(_size, viewed) {
  const world = createWorld({ checks: false });
  const tree = createHierarchy(world);
  const entities = Array.from({ length: SIZE }, (_, k) =>
    tree.attachNew(null, Place({ x: k % 500, y: k % 300 })),
  );
  const mirror = new Mirror(net, { world, tree }, { viewed });
  const states = entities.map((entity) => mirror.stateOf(entity));
  const out = encoding(mirror.state, states, viewed, (key) => world.get(Number(key), Place));
  const query = world.query(Place);
  let turn = 0;
  return {
    reset() {
      const step = ++turn % 2 === 0 ? 1.5 : -1.5;
      query.update((place) => {
        place.x += step;
        place.y += step;
        place.rotation += step;
      });
    },
    run() {
      mirror.read();
      out.encode();
    },
    wrong: out.wrong,
    bytesOfEntity: out.bytesOfEntity,
  };
}

const spacious = replicate({
  components: [fields(Transform2D, { x: range(-512, 512), y: range(-512, 512), rotation: angle() })],
});

/** Every client sees what is near the entity it owns. */
function sights() {
  const world = createWorld({ checks: false });
  const tree = createHierarchy(world);
  const space = createTransforms2D(tree);
  const entities = Array.from({ length: SIZE }, (_, k) =>
    tree.attachNew(null, space.at(spread(k).x, spread(k).y)),
  );
  const game = { world, tree, space };
  const mirror = new Mirror(spacious, game, { viewed: true });
  const all = new Sights(game, mirror, { distance: DISTANCE });
  let viewers;
  const look = (views) => {
    viewers ??= views.map((view, client) => [
      { sessionId: String(client), owned: new Set([entities[ownedBy(client)]]) },
      view,
    ]);
    all.lookAll(viewers);
  };
  const states = entities.map((entity) => mirror.stateOf(entity));
  const out = encoding(mirror.state, states, true, (key) => space.localOf(Number(key)), look);
  const query = world.query(Transform2D);
  let turn = 0;
  return {
    reset() {
      const step = ++turn % 2 === 0 ? 1.5 : -1.5;
      query.update((place) => {
        place.x += step;
        place.y += step;
        place.rotation += step;
      });
    },
    run() {
      mirror.read();
      out.encode();
    },
    wrong: out.wrong,
    seen: out.seen,
  };
}

/** A client without a socket: its room receives the frames of a server, and its messages are dropped. */
function rollback() {
  const there = { world: createWorld({ checks: false }) };
  there.tree = createHierarchy(there.world);
  const mirror = new Mirror(net, there);
  for (let k = 0; k < SIZE; k++) {
    mirror.own(there.tree.attachNew(null, Place({ x: (k % 100) * STEP })), "me");
  }
  mirror.read();

  const room = new Room("bench");
  room.connection = { isOpen: true, send() {}, close() {} };
  room.sessionId = "me";
  const feed = (...parts) =>
    room.onMessageCallback({ data: Uint8Array.from(parts.flatMap((part) => [...part])).buffer });
  const encoder = new Encoder(mirror.state);
  // 20 steps a second, as a room with inputs declares it: options of inputs, a fixed step, its rate.
  const pace = { tag: 2, bytes: Uint8Array.of(2, 20) };
  feed(getMessageBytes[Protocol.JOIN_ROOM]("token", "schema", Reflection.encode(encoder), [pace]));
  feed([Protocol.ROOM_STATE], encoder.encodeAll({ offset: 0 }));

  const here = { world: createWorld({ checks: false }), stepSeconds: 1 / 20 };
  here.tree = createHierarchy(here.world);
  const query = here.world.query(Place, Drive);
  const move = () =>
    query.update((place, { throttle }) => {
      place.x += throttle;
    });
  const view = follow(net, room, here, { interpolate: 0, predict: [move] });
  view.input.throttle = 1;
  let sent = 0;
  const update = () => {
    view.update(sent * 50);
    sent++;
  };
  for (let k = 0; k < 8; k++) update();
  let frame;
  return {
    reset() {
      // The server has played the oldest input in flight: seven are played again, and the next one is sent.
      const bytes = new DataView(new ArrayBuffer(9));
      bytes.setUint8(0, Protocol.ROOM_STATE_PATCH | ProtocolModifier.TIMED);
      bytes.setUint32(1, sent * 50, true);
      bytes.setUint32(5, sent - 7, true);
      frame = { data: bytes.buffer };
    },
    run() {
      room.onMessageCallback(frame);
      update();
    },
    wrong: () =>
      there.world.entities().filter((entity, k) => {
        const { x } = here.world.get(view.entityOf(entity), Place);
        return Math.abs(x - ((k % 100) * STEP + 8)) > 0.01;
      }).length,
  };
}

/** The distance between entities: a value that the encoded range represents closely enough. */
const STEP = 4;

export const subjects = {
  espalier: {
    cases: { patch: (size) => patch(size, false), views: (size) => patch(size, true), sights, rollback },
  },
};
