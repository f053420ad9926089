import { Decoder, Encoder, StateView } from "@colyseus/schema";

Encoder.BUFFER_SIZE = 1 << 20;

export const CLIENTS = 50;
export const SEEN = 100;
export const SIZE = 1000;

/** Which entities a client sees: some of its own, and those of its neighbours. */
export const seenBy = (client) => Array.from({ length: SEEN }, (_, k) => (client * 20 + k) % SIZE);

/** How far a client sees: about a hundred of a thousand entities in the square of `spread`. */
export const DISTANCE = 183;

/** The position of entity `k`: spread over the square from -512 to 512. */
export const spread = (k) => ({ x: ((k * 389) % 1000) - 500, y: ((k * 211 + 17 * (k % 13)) % 1000) - 500 });

/** The entity that client `k` owns. */
export const ownedBy = (client) => client * 20;

/**
 * An encoder with one decoder behind it, as a room has it. `states` are the entities in their order.
 * @param look - Brings the views up to date before each patch; without it they stay as they are.
 */
export function encoding(state, states, viewed, placeOf, look) {
  const encoder = new Encoder(state);
  const views = viewed ? Array.from({ length: CLIENTS }, () => new StateView()) : [];
  if (look !== undefined) look(views);
  else
    views.forEach((view, client) => {
      for (const k of seenBy(client)) view.add(states[k]);
    });
  const decoder = new Decoder(new state.constructor());
  const all = { offset: 0 };
  const shared = encoder.encodeAll(all);
  decoder.decode(viewed ? encoder.encodeAllView(views[0], all.offset, all) : shared);
  for (const view of views) view.changes.clear();
  encoder.discardChanges();
  let first;
  let total = 0;
  return {
    encode() {
      look?.(views);
      const at = { offset: 0 };
      const bytes = encoder.encode(at);
      total = bytes.length;
      first = bytes;
      if (viewed) {
        const sharedOffset = at.offset;
        views.forEach((view, client) => {
          const own = encoder.encodeView(view, sharedOffset, at);
          if (client === 0) {
            first = own;
            total = own.length;
          }
        });
      } else first = bytes.slice();
      encoder.discardChanges();
    },
    bytesOfEntity: () => total / (viewed ? SEEN : SIZE),
    /** How many entities have a wrong position in the decoder of the first client; with `look` a new one, because patches that were only timed are lost. */
    wrong() {
      if (look !== undefined) return wrongIn(afresh());
      decoder.decode(first);
      return wrongIn(decoder);
    },
    /** How many entities each client sees on average. */
    seen: () =>
      states.reduce((sum, state) => sum + views.filter((view) => view.has(state)).length, 0) / CLIENTS,
  };
  function afresh() {
    const late = new Decoder(new state.constructor());
    const it = { offset: 0 };
    encoder.encodeAll(it);
    late.decode(encoder.encodeAllView(views[0], it.offset, it));
    return late;
  }
  function wrongIn({ state: decoded }) {
    let wrong = 0;
    for (const [key, entity] of decoded.entities) {
      const { x, y } = placeOf(key);
      const place = entity.c0 ?? entity.place;
      if (Math.abs(place.x - x) > 0.02 || Math.abs(place.y - y) > 0.02) wrong++;
    }
    return wrong;
  }
}
