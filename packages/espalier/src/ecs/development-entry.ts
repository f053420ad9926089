/**
 * What `dist/development/*.mjs` load first: the files behind the export condition `development`, which are also paths for an
 * import map. Everything else they share with the plain entries, so that both may be loaded in one program.
 */
import { declareDevelopment } from "./development.ts";

declareDevelopment();
