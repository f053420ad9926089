/**
 * The links as users get them: there is no way from here to what writes.
 */
import type { Links, RawLinks } from "./links.ts";

export class LinksView implements RawLinks {
  readonly #links: Links;

  constructor(links: Links) {
    this.#links = links;
  }

  parent(node: number): number {
    return this.#links.parent(node);
  }

  first(node: number): number {
    return this.#links.first(node);
  }

  last(node: number): number {
    return this.#links.last(node);
  }

  prev(node: number): number {
    return this.#links.prev(node);
  }

  next(node: number): number {
    return this.#links.next(node);
  }

  count(node: number): number {
    return this.#links.count(node);
  }
}
