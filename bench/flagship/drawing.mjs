/**
 * What the subjects pixi.js and three.js share: display objects with the game's data in a user field, and a
 * list of all of them for the systems. The library provides the tree and the transforms.
 */
import {
  armourOf,
  damping,
  fullArmour,
  fullHealth,
  hpOf,
  motionXOf,
  motionYOf,
  prefabParents,
  regenOf,
  seconds,
  spinOf,
} from "./data.mjs";

/** An index in the list, and the two components. */
export function createData(n) {
  return {
    place: 0,
    motion: { x: motionXOf(n), y: motionYOf(n), spin: spinOf(n) },
    health: { hp: hpOf(n), armour: armourOf(n), regen: regenOf(n) },
  };
}

/** The list of all objects and the systems on it; `dataOf(object)` is where a library keeps user data. */
export function createList(dataOf) {
  const all = [];
  return {
    all,
    join(object) {
      dataOf(object).place = all.push(object) - 1;
    },
    leave(object) {
      const { place } = dataOf(object);
      const last = all.pop();
      if (last === object) return;
      all[place] = last;
      dataOf(last).place = place;
    },
    damp() {
      for (const object of all) {
        const { motion } = dataOf(object);
        motion.x *= damping;
        motion.y *= damping;
        motion.spin *= damping;
      }
    },
    heal() {
      for (const object of all) {
        const { health } = dataOf(object);
        health.hp = Math.min(fullHealth, health.hp + health.regen * seconds);
        health.armour += (fullArmour - health.armour) * seconds;
      }
    },
    dataValues(object) {
      const { motion, health } = dataOf(object);
      return [motion.x, motion.y, motion.spin, health.hp, health.armour, health.regen];
    },
  };
}

export function spawnPrefabBy(spawn) {
  return (parent) => {
    const made = [];
    for (let k = 0; k < prefabParents.length; k++) {
      made.push(spawn(prefabParents[k] < 0 ? parent : made[prefabParents[k]], k));
    }
    return made[0];
  };
}

export function spawnManyBy(spawn) {
  return (count, n) => Array.from({ length: count }, () => spawn(undefined, n));
}
