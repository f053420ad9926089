/** The call that lists structural events. */
import type { CallDefinition } from "./definition.ts";
import { EventRing } from "./event-ring.ts";

export const events: CallDefinition = {
  name: "events",
  summary: "entities that were added, removed or moved since a number; the first call starts recording",
  isReadOnly: true,
  parameters: {
    since: { type: "integer", description: "The number that the last call gave as next; 0 if left out." },
    limit: { type: "integer", description: "How many are given; 200 if left out." },
  },
  required: [],
  run: (context, { since = 0, limit = 200 }) => {
    const isNew = context.events === undefined;
    context.events ??= new EventRing(context.game);
    return { isRecording: !isNew, ...context.events.since(since as number, limit as number) };
  },
};
