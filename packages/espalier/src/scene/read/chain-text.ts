/** `a > b > c`, for messages. A long chain is shortened in the middle. */
export function chainText(names: readonly string[]): string {
  const shown = [...names];
  if (names.length > 13) shown.splice(6, names.length - 13, `… ${names.length - 13} more …`);
  return shown.join(" > ");
}
