/** `espalier/three` on the same three.js. Imported by its public names, as built; while it is not, its rows are left out. */
import * as three from "three";
import { casesOf } from "./cases.mjs";
import { espalierInstances, espalierObjects } from "./scenes.mjs";

const rooms = await Promise.all(
  ["espalier", "espalier/hierarchy", "espalier/transform", "espalier/three"].map((name) =>
    import(name).catch((error) => {
      if (["ERR_MODULE_NOT_FOUND", "ERR_PACKAGE_PATH_NOT_EXPORTED"].includes(error.code)) return undefined;
      throw error;
    }),
  ),
);

/** Shown instead of results as long as `subjects` does not name the subject. */
export const skipped = "espalier is not built (npm run build)";

const espalier = Object.assign({}, ...rooms);

export const subjects = !rooms.includes(undefined) && {
  "espalier-objects": { cases: casesOf(espalierObjects({ three, espalier })) },
  "espalier-instances": { cases: casesOf(espalierInstances({ three, espalier })) },
};
