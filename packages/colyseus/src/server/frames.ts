/**
 * Refuses frames that no client of this package sends: Colyseus decodes a ring of inputs according to a length in it, and a negative
 * length never ends.
 */
import { type Client, CloseCode, Protocol, type Room } from "@colyseus/core";
import { InvalidMultiplayerError } from "../errors.ts";

/** What a room calls for each frame, which is not public. */
interface Receiver {
  _onMessage(client: Client, frame: Uint8Array | undefined): void;
}

/** The lower bits of the first byte are the kind of the frame. */
const CODE = 31;

/** Each field has a byte for its number, and at most nine for its value; before them are a byte and a time of at most eleven bytes. */
const BYTES_OF_FIELD = 10;
const BYTES_IN_FRONT = 12;

/**
 * Ends the connection of a client that sends inputs in the unreliable form, or a frame that is longer than all fields together.
 *
 * @throws InvalidMultiplayerError for a Colyseus that reads frames elsewhere.
 */
export function guardFrames(room: Room, inputFields: number): void {
  const receiver = room as unknown as Receiver;
  if (typeof receiver._onMessage !== "function") {
    throw new InvalidMultiplayerError(
      "Cannot host a world: this version of Colyseus reads messages in another way. Install the one that @espalier/colyseus names.",
    );
  }
  const read = receiver._onMessage.bind(room);
  const longest = BYTES_IN_FRONT + inputFields * BYTES_OF_FIELD;
  receiver._onMessage = (client, frame) => {
    const code = (frame?.[0] ?? 0) & CODE;
    const isLong = code === Protocol.ROOM_INPUT_RELIABLE && (frame?.byteLength ?? 0) > longest;
    if (code === Protocol.ROOM_INPUT_UNRELIABLE || isLong) client.leave(CloseCode.WITH_ERROR);
    else read(client, frame);
  };
}
