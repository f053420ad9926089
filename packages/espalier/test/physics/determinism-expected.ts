/** What the scene of `determinism-scene.ts` comes to, everywhere: all bodies and velocities, and all transforms, as hashes. */
export const expected = { bodies: 1880870760, transforms: 2513414141, moved: 97 };
