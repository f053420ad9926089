/** Where the built page of the editor is: beside the built server. */
import { fileURLToPath } from "node:url";

export function appFolder(): string {
  return fileURLToPath(new URL("./app", import.meta.url));
}
