/** three.js' own tree, as objects and drawn by one InstancedMesh. */
import * as three from "three";
import { casesOf } from "./cases.mjs";
import { threeInstances, threeObjects } from "./scenes.mjs";

export const subjects = {
  "three-objects": { cases: casesOf(threeObjects({ three })) },
  "three-instances": { cases: casesOf(threeInstances({ three })) },
};
