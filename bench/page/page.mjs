/** Both subjects in one page, a frame of one and a frame of the other in turn. */
import { espalier } from "./page-espalier.mjs";
import { plain } from "./page-plain.mjs";

let subjects;
let frame = 0;

window.setUp = ({ builder, size }) => {
  subjects = { espalier: espalier[builder](size), plain: plain[builder](size) };
};

/** Milliseconds per frame of each subject: the median. Who begins changes with every frame. */
window.measure = (count) => {
  const times = { espalier: [], plain: [] };
  const names = Object.keys(subjects);
  window.gc();
  for (let n = 0; n < count; n++) {
    frame++;
    for (let k = 0; k < 2; k++) {
      const name = names[(n + k) % 2];
      const start = performance.now();
      subjects[name].run(frame);
      times[name].push(performance.now() - start);
      subjects[name].settle?.();
    }
  }
  const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
  return { espalier: median(times.espalier), plain: median(times.plain) };
};

/** What is wrong with the drawing or sound; empty if nothing. */
window.check = () => {
  frame++;
  for (const { run } of Object.values(subjects)) run(frame);
  const [ours, wanted] = [subjects.espalier.result(), subjects.plain.result()];
  if (ours.length !== wanted.length || ours.length === 0)
    return `there are ${ours.length} values, not ${wanted.length}`;
  const differing = ours.filter(
    (value, k) => Math.abs(value - wanted[k]) > (Number.isInteger(wanted[k]) ? 8 : 1e-3),
  ).length;
  const filled = wanted.filter((value) => value > 0).length;
  if (filled < wanted.length / 100) return "there is nothing in it";
  return differing <= wanted.length / 1000 ? "" : `${differing} of ${wanted.length} values differ`;
};
