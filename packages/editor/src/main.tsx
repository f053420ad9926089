/** The page that the server serves: the editor on the whole window. */
import { startEditor } from "./start-editor.ts";

const place = document.getElementById("editor");
if (place !== null) void startEditor(place);
