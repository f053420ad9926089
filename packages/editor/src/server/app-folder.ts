/** Where the built page of the editor is: beside the built server. */
import { fileURLToPath } from "node:url";

/** The folder of the built page of the editor. */
export function appFolder(): string {
  return fileURLToPath(new URL("./app", import.meta.url));
}
