/** What axe finds in the editor. */
import axe from "axe-core";
import type { Page } from "playwright-core";

/** Its serious and critical violations, each with the elements concerned. */
export async function violations(page: Page, within = ".esp"): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations: found } = (await page.evaluate(
    `axe.run(${JSON.stringify(within)}, { resultTypes: ["violations"] })`,
  )) as axe.AxeResults;
  return found
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => {
      const shown = nodes.slice(0, 3).map(({ html }) => html.slice(0, 120));
      return `${id}: ${shown.join(" | ")}`;
    });
}
