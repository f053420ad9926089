/** The table of features: which items there are, and what the page says of each. */
import { brokenLink, linksIn } from "./links.ts";

/** The ids between the fences that say `ids`, such as `S1-42, L1-81`. */
export function idsOf(page: string): string[] {
  const listed = /^```ids\n([\s\S]*?)^```/m.exec(page)?.[1] ?? "";
  return listed.split(",").flatMap((range) => {
    const [, prefix, first, last] = /^\s*([A-Z])(\d+)-(\d+)\s*$/.exec(range) ?? [];
    if (prefix === undefined) throw new Error(`The list of ids has "${range.trim()}"; write S1-42.`);
    const count = Number(last) - Number(first) + 1;
    return Array.from({ length: count }, (_, k) => `${prefix}${Number(first) + k}`);
  });
}

/** What is wrong with the page at `path`: an id without a row, or a row without guide and test that says nothing. */
export function problemsOf(path: string, page: string): string[] {
  const rows = new Map<string, string[]>();
  const problems: string[] = [];
  for (const [, id, rest] of page.matchAll(/^\| ([A-Z]\d+) \|(.*)\|$/gm)) {
    if (rows.has(id!)) problems.push(`${id} is there twice`);
    rows.set(
      id!,
      rest!.split(/(?<!\\)\|/).map((cell) => cell.trim()),
    );
  }
  const ids = idsOf(page);
  for (const id of rows.keys()) if (!ids.includes(id)) problems.push(`${id} is not in the list of ids`);
  for (const id of ids) {
    const [what, guide = "", test = ""] = rows.get(id) ?? [];
    if (what === undefined) problems.push(`${id} has no row`);
    else if (what.startsWith("not done")) {
      if (!/^not done: .{10}/.test(what)) problems.push(`${id} does not say why it is not done`);
    } else problems.push(...linkProblems(path, id, guide, test));
  }
  return problems;
}

function linkProblems(path: string, id: string, guide: string, test: string): string[] {
  const guides = linksIn(guide).filter(({ target }) => /^guide\/[^#]+\.md/.test(target));
  const tests = linksIn(test).filter(({ target }) => /\.(test\.ts|mjs)$/.test(target));
  const broken = [...guides, ...tests].map(({ target }) => brokenLink(path, target));
  return [
    ...(guides.length === 0 ? [`${id} has no guide`] : []),
    ...(tests.length === 0 ? [`${id} has no test`] : []),
    ...broken.filter((problem) => problem !== undefined).map((problem) => `${id}: ${problem}`),
  ];
}
