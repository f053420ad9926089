/**
 * Frames that no client of this package sends are not read: Colyseus decodes a ring of inputs for as long as a length in it says, and a negative
 * one is forever.
 */
import { type Client, CloseCode, Protocol, type Room } from "@colyseus/core";
import { InvalidMultiplayerError } from "../errors.ts";

/** What a room calls for each frame. It has no public name. */
interface Receiver {
  _onMessage(client: Client, frame: Uint8Array | undefined): void;
}

/** The lower bits of the first byte say what a frame is. */
const CODE = 31;

/** Each field has a byte that says which, and at most nine of value; in front are a byte and a time of at most eleven. */
const BYTES_OF_FIELD = 10;
const BYTES_IN_FRONT = 12;

/**
 * Ends the connection of a client that sends inputs in the unreliable form, or one that is longer than all fields together.
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
