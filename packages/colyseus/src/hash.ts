/** A hash of a string: 32-bit FNV-1a. It detects mistakes; it is not secure. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let k = 0; k < text.length; k++) {
    hash = Math.imul(hash ^ text.charCodeAt(k), 0x01000193);
  }
  return hash >>> 0;
}
