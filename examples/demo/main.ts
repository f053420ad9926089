/**
 * `npm start`: a live picture of two trees. Keys: r puts the flag on the next body, u undoes that, q ends.
 * Without a terminal it runs a hundred steps and prints where everything ended up.
 */
import { emitKeypressEvents } from "node:readline";
import { checkTree } from "espalier/hierarchy";
import { drawTree, picture } from "./draw.ts";
import { createScene } from "./scene.ts";

const scene = createScene();

if (process.stdout.isTTY && process.stdin.isTTY) live();
else final();

function final(): void {
  for (let k = 0; k <= 100; k++) scene.step(k / 10);
  scene.passFlag();
  scene.passFlag();
  scene.history.undo();
  console.log("After 10 seconds, with the flag moved onto the turret without leaving its place:");
  console.log(drawTree(scene));
  console.log(`All invariants hold: ${checkTree(scene.tree).length === 0}`);
}

function live(): void {
  const start = Date.now();
  const { stdin, stdout } = process;
  emitKeypressEvents(stdin);
  stdin.setRawMode(true);
  stdout.write("\x1b[?1049h\x1b[?25l");
  const end = () => {
    clearInterval(timer);
    stdin.setRawMode(false);
    stdin.pause();
    stdout.write("\x1b[?25h\x1b[?1049l");
    console.log(drawTree(scene));
  };
  stdin.on("keypress", (_, key: { name?: string; ctrl?: boolean }) => {
    if (key.name === "r") scene.passFlag();
    else if (key.name === "u") scene.history.undo();
    else if (key.name === "q" || (key.ctrl && key.name === "c")) end();
  });
  const frame = () => {
    scene.step((Date.now() - start) / 1000);
    const help = "r: put the flag ⚑ on the next body    u: undo    q: end";
    const screen = [picture(scene), drawTree(scene), "", help].join("\n");
    stdout.write(`\x1b[H${screen.replaceAll("\n", "\x1b[K\n")}\x1b[J`);
  };
  const timer = setInterval(frame, 50);
  frame();
}
