/** In Markdown: `ts` and `tsx` blocks of guides, error pages, the gallery and the start page become snippets that can be run and edited. */
import type MarkdownIt from "markdown-it";
import { canRun } from "./imports.mjs";

const withPlayground = /^(guide|errors)\/|^(index|gallery)\.md$/;

/** Wraps the blocks in the component `Snippet`, which knows its code and which block it continues. Below a file of a project stands its name. */
export function snippetFences(md: MarkdownIt): void {
  const fence = md.renderer.rules.fence!;
  md.renderer.rules.fence = (tokens, index, options, env, self) => {
    const html = fence(tokens, index, options, env, self);
    const { info, content } = tokens[index]!;
    const [language, ...flags] = info.trim().split(/\s+/);
    const isProgram = language === "ts" || language === "tsx";
    if (!isProgram || !withPlayground.test(env.relativePath ?? "")) return html;
    if (flags.includes("project")) {
      const file = flags.find((flag) => flag.startsWith("file="))?.slice("file=".length) ?? "";
      return `${html}<p class="quiet">Not run here: it is <code>${md.utils.escapeHtml(file)}</code> of a project.</p>\n`;
    }

    const wholes: string[] = (env.snippets ??= []);
    // As in the tests of the documents: one that runs in a page only is nothing to continue.
    const continues = flags.includes("continue") ? (env.lastRun ?? -1) : -1;
    const whole = continues < 0 ? content : `${wholes[continues]}\n${content}`;
    const id = wholes.push(whole) - 1;
    if (!flags.includes("browser")) env.lastRun = id;
    if (!canRun(whole)) return html;
    return `<Snippet :id="${id}" :continues="${continues}" source="${encodeURIComponent(content)}">${html}</Snippet>\n`;
  };
}
