/** The gallery: every folder of `examples/`, with its picture or its output. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { root } from "../scripts/workspace.mjs";
import { canRun } from "./playground/imports.mjs";

const folder = join(root, "examples");

/**
 * The page. Pictures are copied to `pictures`, which the site serves as `/examples/`.
 *
 * @param {string} pictures
 */
export function galleryPage(pictures) {
  mkdirSync(pictures, { recursive: true });
  const inBrowser = foldersOf(join(folder, "browser"), "example.json").map((name) =>
    pictureOf(name, pictures),
  );
  const programs = foldersOf(folder, "main.ts").map(programOf);
  return `# Examples

Each is a folder of [examples/] that runs alone. A test runs every one of them and compares what it prints or shows.

## In the browser

Open them here; in the repository \`npm run example -- browser\` shows all of them and \`npm run example -- browser/robot-arm\` one.

<div class="gallery">

${inBrowser.join("\n\n")}

</div>

## In the terminal

\`npm run example -- undo\` runs one. Those that have a page of their own are played with \`npx vite examples/<name>\`.

${programs.join("\n")}`.replace("[examples/]", "`examples/`");
}

/** @param {string} parent @param {string} file */
function foldersOf(parent, file) {
  return readdirSync(parent).filter((name) => existsSync(join(parent, name, file)));
}

/** @param {string} name @param {string} pictures */
function pictureOf(name, pictures) {
  const { title, about } = JSON.parse(readFileSync(join(folder, "browser", name, "example.json"), "utf8"));
  cpSync(join(folder, "browser", name, "screenshot.png"), join(pictures, `${name}.png`));
  return `<figure>

![${title}](/examples/${name}.png)

<figcaption>

**${escapeHtml(title)}** ${escapeHtml(about)}

<a href="./examples/live/${name}/index.html" target="_blank">Open it</a> · \`browser/${name}\`

</figcaption>
</figure>`;
}

/** @param {string} name */
function programOf(name) {
  const source = readFileSync(join(folder, name, "main.ts"), "utf8");
  const output = readFileSync(join(folder, name, "expected.txt"), "utf8");
  const [, comment = ""] = /^\/\*\*([\s\S]*?)\*\//.exec(source) ?? [];
  const about = comment
    .replace(/^\s*\* ?/gm, "")
    .replace(/\s+/g, " ")
    .trim();
  const links = [
    canRun(source) ? `[Run it here](/playground.html#${hashOf(source)})` : "",
    existsSync(join(folder, name, "index.html")) ? `Play it: \`npx vite examples/${name}\`` : "",
  ].filter((link) => link !== "");
  return `### ${name}

${escapeHtml(about)}${links.length > 0 ? ` ${links.join(". ")}.` : ""}

\`\`\`txt
${output.trimEnd()}
\`\`\`
`;
}

/**
 * The address of a program in the playground, as `share.ts` of the theme writes it.
 *
 * @param {string} code
 */
function hashOf(code) {
  return `code=${deflateRawSync(code.trimEnd()).toString("base64url")}`;
}

/** @param {string} text */
function escapeHtml(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll("{{", "&#123;&#123;");
}
