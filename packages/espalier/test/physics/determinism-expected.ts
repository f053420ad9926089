/** What the scene of `determinism-scene.ts` comes to, everywhere: all bodies and velocities, and all transforms, as hashes. */
export const expected = { bodies: 1312449865, transforms: 219821930, moved: 97 };
