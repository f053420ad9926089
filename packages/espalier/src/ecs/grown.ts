/** A copy of another length that begins with the same numbers, as many of them as fit. */
export function grown<Numbers extends Float64Array | Int32Array | Uint32Array | Uint8Array>(
  numbers: Numbers,
  length: number,
): Numbers {
  const copy = new (numbers.constructor as new (length: number) => Numbers)(length);
  copy.set(numbers.subarray(0, length));
  return copy;
}
