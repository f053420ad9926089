/** The programs of the page that is shown, by number: each as a function that gives it with all it continues. */
import { inBrowser } from "vitepress";

const shown = new Map<number, () => string>();

/** On a server, where pages share this module, nothing is kept. */
export function snippetsOfPage(): Map<number, () => string> {
  return inBrowser ? shown : new Map();
}
