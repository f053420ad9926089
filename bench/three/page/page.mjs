/** One subject and one case in a page of its own: `?subject=…&case=…`. The parent calls `batch` in turn with other pages. */
import * as ecs from "espalier";
import * as hierarchy from "espalier/hierarchy";
import * as espalierThree from "espalier/three";
import * as transform from "espalier/transform";
import * as three from "three";
import { casesOf, worstError } from "../cases.mjs";
import { espalierInstances, espalierObjects, threeInstances, threeObjects } from "../scenes.mjs";

const scenes = { espalierInstances, espalierObjects, threeInstances, threeObjects };
const parameters = new URLSearchParams(location.search);
const espalier = { ...ecs, ...hierarchy, ...transform, ...espalierThree };
const createScene = scenes[parameters.get("subject")]({ three, espalier });
const it = casesOf(createScene)[parameters.get("case")](Number(parameters.get("size")));
const { array } = it.scene;

const gl = document.createElement("canvas").getContext("webgl2");
if (array !== undefined) {
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, array.byteLength, gl.DYNAMIC_DRAW);
}

let uploaded;
function run() {
  it.run();
  // What a renderer does with an attribute whose version is another one.
  const { version } = it.scene;
  if (array === undefined || (version !== undefined && version() === uploaded)) return;
  uploaded = version?.();
  gl.bufferSubData(gl.ARRAY_BUFFER, 0, array);
}

/** Nanoseconds per run, of so many. The clock of a page is coarse, so runs are counted, not timed one by one. */
window.batch = (runs) => {
  const start = performance.now();
  for (let k = 0; k < runs; k++) run();
  return ((performance.now() - start) * 1e6) / runs;
};
window.check = () => {
  it.run();
  return worstError(it);
};
