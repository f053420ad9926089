/** The moves of one side in one round: pairs of a child and its new parent, the children of the other side left alone. */
export function* parentsOf(size, side, round) {
  let state = round * 2 + side + 1;
  for (let k = 0; k < size; k++) {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    yield [2 * k + side || 2, (state >>> 8) % (2 * size)];
  }
}
