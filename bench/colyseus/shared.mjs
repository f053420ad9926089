import { Decoder, Encoder, StateView } from "@colyseus/schema";

Encoder.BUFFER_SIZE = 1 << 20;

export const CLIENTS = 50;
export const SEEN = 100;
export const SIZE = 1000;

/** Which entities a client sees: some of its own, and those of its neighbours. */
export const seenBy = (client) => Array.from({ length: SEEN }, (_, k) => (client * 20 + k) % SIZE);

/** An encoder with one decoder behind it, as a room has it. `states` are the entities in their order. */
export function encoding(state, states, viewed, placeOf) {
  const encoder = new Encoder(state);
  const views = viewed ? Array.from({ length: CLIENTS }, () => new StateView()) : [];
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
    /** How many entities the decoder of the first client has elsewhere. */
    wrong() {
      decoder.decode(first);
      let wrong = 0;
      for (const [key, decoded] of decoder.state.entities) {
        const { x, y } = placeOf(key);
        const place = decoded.c0 ?? decoded.place;
        if (Math.abs(place.x - x) > 0.02 || Math.abs(place.y - y) > 0.02) wrong++;
      }
      return wrong;
    },
  };
}
