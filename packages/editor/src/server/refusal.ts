/** A request that is refused, with the status to answer. */
export class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** A part of an address as text. @throws Refusal for one that is not properly percent-encoded. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Refusal(400, "The address is not encoded properly.");
  }
}
