/** The bar above the rows of the tree. Re-rendered only when what it shows changes. */
import { memo, type ReactNode } from "react";
import { ActionButton } from "../shell/button.tsx";
import { icons } from "../shell/icons.tsx";
import { useAppItself, useAppValue } from "../shell/use-app.ts";

export const HierarchyHead = memo(function HierarchyHead(): ReactNode {
  const app = useAppItself();
  const isSorted = useAppValue(({ view }) => view.settings.sortByName);
  return (
    <header className="esp-head">
      <h2>{app.t("panel.hierarchy")}</h2>
      <ActionButton id="create" icon={icons.plus} />
      <ActionButton id="sort-view" icon={icons.sort} pressed={isSorted} />
      <ActionButton id="expand-all" icon={icons.expand} />
      <ActionButton id="collapse-all" icon={icons.collapse} />
    </header>
  );
});

export const HierarchySearch = memo(function HierarchySearch(): ReactNode {
  const app = useAppItself();
  const text = useAppValue(({ view }) => view.searchText);
  const count = useAppValue(({ view }) => view.shown.found?.matches.length);
  return (
    <search className="esp-search">
      {icons.search}
      <input
        type="search"
        aria-label={app.t("hierarchy.search")}
        placeholder={app.t("hierarchy.search")}
        value={text}
        onChange={(event) => app.view.searchFor(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") app.view.searchFor("");
          const { found } = app.view.shown;
          if (event.key === "Enter" && found !== undefined) app.document.selection.replace(found.matches);
          if (event.key === "ArrowDown" && found?.matches[0] !== undefined) {
            event.preventDefault();
            app.document.selection.replace([found.matches[0]]);
            event.currentTarget.closest(".esp-panel")?.querySelector<HTMLElement>(".esp-tree")?.focus();
          }
        }}
      />
      {count === undefined ? null : <output>{app.t("hierarchy.matches", { count })}</output>}
    </search>
  );
});
