/** @espalier/collab/relay: the relay that shared scenes meet at. Runs in Node. */
export { openRelay, type Relay, type RelayOptions } from "./relay.ts";
