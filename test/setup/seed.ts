/**
 * Property tests use a fixed seed, so that a run can be repeated and a failure is about the change at hand.
 * `ESPALIER_SEED=random` draws one and prints it; `ESPALIER_SEED=<number>` uses that one.
 */
import fc from "fast-check";

const wanted = process.env.ESPALIER_SEED ?? "20261115";
const seed = wanted === "random" ? Date.now() | 0 : Number(wanted);
if (wanted === "random") console.log(`ESPALIER_SEED=${seed}`);
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed, markInterruptAsFailure: true });
