import { schema, t } from "@colyseus/schema";
import { DISTANCE, encoding, ownedBy, SIZE, spread } from "./shared.mjs";

const Place = schema(
  {
    x: t.quantized({ min: -512, max: 512 }),
    y: t.quantized({ min: -512, max: 512 }),
    rotation: t.angle(),
  },
  "Place",
);
const Entity = schema({ place: t.ref(Place) }, "Entity");
const State = schema({ entities: t.map(Entity) }, "State");
const ViewedState = schema({ entities: t.map(Entity).view() }, "ViewedState");

function patch(_size, viewed) {
  const state = new (viewed ? ViewedState : State)();
  const objects = Array.from({ length: SIZE }, (_, k) => ({ x: k % 500, y: k % 300, rotation: 0 }));
  const states = objects.map(({ x, y, rotation }, k) => {
    const entity = new Entity();
    Object.assign(entity.place, { x, y, rotation });
    state.entities.set(String(k + 1), entity);
    return entity;
  });
  const out = encoding(state, states, viewed, (key) => objects[Number(key) - 1]);
  let turn = 0;
  return {
    reset() {
      const step = ++turn % 2 === 0 ? 1.5 : -1.5;
      for (const object of objects) {
        object.x += step;
        object.y += step;
        object.rotation += step;
      }
    },
    run() {
      for (let k = 0; k < SIZE; k++) {
        const { place } = states[k];
        const { x, y, rotation } = objects[k];
        place.x = x;
        place.y = y;
        place.rotation = rotation;
      }
      out.encode();
    },
    wrong: out.wrong,
    bytesOfEntity: out.bytesOfEntity,
  };
}

/** Each client looks at every entity, as a simple program does. */
function sights() {
  const state = new ViewedState();
  const objects = Array.from({ length: SIZE }, (_, k) => ({ ...spread(k), rotation: 0 }));
  const states = objects.map((object, k) => {
    const entity = new Entity();
    Object.assign(entity.place, object);
    state.entities.set(String(k + 1), entity);
    return entity;
  });
  const seen = [];
  const look = (views) => {
    views.forEach((view, client) => {
      const eye = objects[ownedBy(client)];
      const before = seen[client] ?? new Set();
      const now = new Set();
      for (let k = 0; k < SIZE; k++) {
        const { x, y } = objects[k];
        const limit = before.has(k) ? DISTANCE * 1.1 : DISTANCE;
        if ((x - eye.x) ** 2 + (y - eye.y) ** 2 <= limit ** 2) now.add(k);
      }
      for (const k of before) if (!now.has(k)) view.remove(states[k]);
      for (const k of now) if (!before.has(k)) view.add(states[k]);
      seen[client] = now;
    });
  };
  const out = encoding(state, states, true, (key) => objects[Number(key) - 1], look);
  let turn = 0;
  return {
    reset() {
      const step = ++turn % 2 === 0 ? 1.5 : -1.5;
      for (const object of objects) {
        object.x += step;
        object.y += step;
        object.rotation += step;
      }
    },
    run() {
      for (let k = 0; k < SIZE; k++) {
        const { place } = states[k];
        const { x, y, rotation } = objects[k];
        place.x = x;
        place.y = y;
        place.rotation = rotation;
      }
      out.encode();
    },
    wrong: out.wrong,
    seen: out.seen,
  };
}

function rollback() {
  const states = Array.from({ length: SIZE }, (_, k) => ({ x: k % 100, y: 0, rotation: 0 }));
  const objects = states.map((state) => ({ ...state, throttle: 1 }));
  return {
    reset() {},
    run() {
      for (let k = 0; k < SIZE; k++) Object.assign(objects[k], states[k]);
      for (let n = 0; n < 8; n++) {
        for (const object of objects) {
          object.throttle = 1;
          object.x += object.throttle;
        }
      }
    },
    wrong: () => objects.filter(({ x }, k) => x !== (k % 100) + 8).length,
  };
}

export const subjects = {
  "schema-by-hand": {
    cases: { patch: (size) => patch(size, false), views: (size) => patch(size, true), sights, rollback },
  },
};
