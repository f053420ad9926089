/**
 * The relay to which the programs of all members connect. Runs in Node.
 *
 * @packageDocumentation
 */

export { openRelay, type Relay, type RelayOptions } from "./relay.ts";
