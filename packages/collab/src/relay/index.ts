/**
 * The relay to which the programs of all members connect. Runs in Node.
 *
 * @packageDocumentation
 */

export { openRelay, type Relay } from "./relay.ts";
export type { RelayOptions } from "./relay-options.ts";
