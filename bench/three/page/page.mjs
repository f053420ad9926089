/** One subject and one case in a page of its own: `?subject=…&case=…`. The parent calls `batch` in turn with other pages. */
import * as ecs from "espalier";
import * as hierarchy from "espalier/hierarchy";
import * as espalierThree from "espalier/three";
import * as transform from "espalier/transform";
import * as three from "three";
import { WebGLAttributes } from "three/src/renderers/webgl/WebGLAttributes.js";
import { casesOf, worstError } from "../cases.mjs";
import { espalierInstances, espalierObjects, threeInstances, threeObjects } from "../scenes.mjs";

const scenes = { espalierInstances, espalierObjects, threeInstances, threeObjects };
const parameters = new URLSearchParams(location.search);
const espalier = { ...ecs, ...hierarchy, ...transform, ...espalierThree };
const createScene = scenes[parameters.get("subject")]({ three, espalier });
const it = casesOf(createScene)[parameters.get("case")](Number(parameters.get("size")));
const { attribute } = it.scene;

const gl = document.createElement("canvas").getContext("webgl2");
// The part of three.js' renderer that uploads: all of an attribute, or the ranges it names, when it has a new version.
const uploads = WebGLAttributes(gl);

/** As large as the caches near a core. */
const waste = parameters.has("cold") ? new Float64Array(1 << 20) : undefined;

function run() {
  it.run();
  if (attribute !== undefined) uploads.update(attribute, gl.ARRAY_BUFFER);
}

/**
 * Nanoseconds per run, over `runs` runs. After every tenth the graphics process finishes what it got, untimed: frames of a game are 16 ms
 * apart, and none waits for the uploads of those before. With `cold`, other work empties the caches before each run, untimed.
 */
window.batch = (runs) => {
  const block = waste === undefined ? 10 : 1;
  let time = 0;
  for (let done = 0; done < runs; done += block) {
    if (waste !== undefined) for (let k = 0; k < waste.length; k += 8) waste[k]++;
    const start = performance.now();
    for (let k = 0; k < block; k++) run();
    time += performance.now() - start;
    gl.finish();
  }
  return (time * 1e6) / runs;
};
window.check = () => {
  it.run();
  return worstError(it);
};
