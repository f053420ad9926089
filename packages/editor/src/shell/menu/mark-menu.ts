/** The menu of a component: the icon and colour of rows of entities that have it. */
import type { App } from "../app.ts";
import { markColors, markIcons, type RowMark } from "../row-marks.ts";
import type { MenuGroups, MenuItem } from "./menu-item.ts";

export function markGroups(app: App, component: string): MenuGroups {
  const { marks } = app.view.settings;
  const set = (change: RowMark) =>
    app.view.set({ marks: { ...marks, [component]: { ...marks[component], ...change } } });
  const usual: MenuItem = {
    label: app.t("mark.usual"),
    run: () => {
      const { [component]: _, ...others } = marks;
      app.view.set({ marks: others });
    },
  };
  const icons = markIcons.map((icon) => ({ label: app.t(`mark.${icon}`), run: () => set({ icon }) }));
  const colors = (Object.keys(markColors) as (keyof typeof markColors)[]).map((color) => ({
    label: app.t(`mark.${color}`),
    run: () => set({ color: markColors[color] }),
  }));
  return [
    [
      { label: app.t("mark.icon"), items: [usual, ...icons] },
      { label: app.t("mark.color"), items: [usual, ...colors] },
    ],
  ];
}
