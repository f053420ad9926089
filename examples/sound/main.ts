/** A car drives past a listener: how loud it is and from which side, recorded instead of played. */
import { createSoundRecorder, Listener, Sound, soundPart, Volume } from "espalier/audio";
import { createGame } from "espalier/game";
import { Active } from "espalier/inherit";

const recorder = createSoundRecorder({ sounds: { engine: 2, horn: 0.5 } });
const game = createGame({ parts: { sounds: soundPart(recorder) } });
game.spawn(game.space.at(0, 0), Listener);

const street = game.spawn(Volume({ value: 0.8, bus: "effects" }));
const car = street.spawn(game.space.at(-400, 0), Active);
car.spawn(game.space.at(0, 0), Sound({ sound: "engine", loop: true, near: 100, far: 500 }));

function print(what: string): void {
  const voices = recorder.sounding().map(({ sound, gain, pan }) => {
    const side = pan === undefined || Math.abs(pan) < 0.01 ? "middle" : pan < 0 ? "left" : "right";
    return `${sound} ${Math.round(gain * 100)} % ${side}`;
  });
  console.log(`${what}: ${voices.join(", ") || "silence"}`);
}

for (const x of [-400, -200, 0, 300, 600]) {
  game.space.setPosition(car.id, x, 0);
  game.step();
  print(`at ${x}`);
}

game.space.setPosition(car.id, 50, 0);
game.parts.sounds.play("horn", { at: car.id, volume: 0.5 });
game.step();
print("with its horn");
street.set(Volume, { value: 0.4 });
game.step(40);
print("the street is quieter, the horn over");
car.set(Active, { on: false });
game.step();
print("parked");
game.stop();
