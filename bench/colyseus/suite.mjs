/**
 * The colyseus suite: what one patch costs the server, and one correction the client, in `@espalier/colyseus` beside schema that is written by hand.
 *
 * `patch`: all entities moved; the state is brought up to date and encoded once for all 50 clients. Reading the world is part of it; by hand the values
 * are in plain objects. `views`: the same for 50 clients with views of 100 entities of their own. `sights`: the same where each client sees what is near to the
 * entity it owns, about 100, which is found anew for each patch. `rollback`: a patch acknowledges an
 * input in a followed room; the state of the server is taken for all entities, seven inputs are played again, and the next one is sent.
 */
import { expectEqual } from "../harness/expect.mjs";

export const subjects = {
  espalier: { file: "espalier.mjs", role: "own" },
  "schema-by-hand": { file: "by-hand.mjs", role: "peer" },
};

const tick = { effort: { warmRuns: 100 }, unit: "entity", unitCount: 1000, size: 1000, verify: verifyBytes };

export const cases = {
  "patch/1000": { ...tick, builder: "patch" },
  "views/50x100": { ...tick, builder: "views" },
  "sights/50x100": { ...tick, builder: "sights", verify: verifySights },
  "rollback/8x1000": { ...tick, builder: "rollback", verify: verifyPlaces },
};

/** What is encoded must be what is decoded; bytes are those of one client. */
async function verifyBytes(it) {
  for (let k = 0; k < 3; k++) {
    await it.reset();
    await it.run();
    expectEqual(it.wrong(), 0, "entities that a decoder has elsewhere");
    expectEqual(it.bytesOfEntity() <= 13.5, true, "at most 13.5 bytes an entity");
  }
}

async function verifySights(it) {
  for (let k = 0; k < 3; k++) {
    await it.reset();
    await it.run();
    expectEqual(it.wrong(), 0, "entities that a late decoder has elsewhere");
    expectEqual(it.seen() > 70 && it.seen() < 130, true, "about a hundred entities in sight");
  }
}

async function verifyPlaces(it) {
  await it.reset();
  await it.run();
  expectEqual(it.wrong(), 0, "entities that are not where eight steps lead");
}
