import { component, f32, tag } from "espalier";

/** Drift: units per second, and radians per second. */
export const Drift = component("Drift", { x: f32(), y: f32(), turn: f32() });

/** A circle that touches others. */
export const Body = component("Body", { radius: f32(10) });

/** Part of the ship: the core and everything below it. */
export const Part = tag("Part");

/** Waits to be collected. */
export const Scrap = tag("Scrap");

/** Breaks things. */
export const Meteor = tag("Meteor");
