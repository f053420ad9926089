// What `npx espalier` knows about this project. It reads the built components, so build first.
import { format } from "./dist/components.js";

export default format;
