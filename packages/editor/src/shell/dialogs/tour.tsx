/** Five steps around the editor, for users who open it for the first time. It blocks nothing. */
import { type ReactNode, useEffect, useState } from "react";
import { Button } from "../button.tsx";
import { useAppItself, useAppValue } from "../use-app.ts";

/** The steps: a text each, and the part of the editor to highlight. */
const steps = [
  { id: "tree", marks: ".esp-tree" },
  { id: "viewport", marks: ".esp-viewport" },
  { id: "inspector", marks: '[data-tour="inspector"]' },
  { id: "menu", marks: ".esp-head" },
  { id: "play", marks: '[data-tour="play"]' },
] as const;

export function Tour(): ReactNode {
  const app = useAppItself();
  const isSeen = useAppValue(({ view }) => view.settings.tourSeen);
  const isBusy = useAppValue(({ view }) => view.overlay !== "none");
  return isSeen || isBusy || app.isLive ? null : <TourCard />;
}

function TourCard(): ReactNode {
  const app = useAppItself();
  const [at, setAt] = useState(0);
  const step = steps[at] ?? steps[0];
  useEffect(() => {
    const marked = document.querySelector(step.marks);
    marked?.classList.add("esp-marked");
    return () => marked?.classList.remove("esp-marked");
  }, [step]);
  const end = () => app.view.set({ tourSeen: true });
  const isLast = at === steps.length - 1;
  return (
    <aside className="esp-tour" aria-label={app.t("tour.title")}>
      <small>{app.t("tour.count", { at: at + 1, count: steps.length })}</small>
      <h2>{app.t(`tour.${step.id}.title`)}</h2>
      <p aria-live="polite">{app.t(`tour.${step.id}`)}</p>
      <div className="buttons">
        {isLast ? null : <Button label={app.t("tour.skip")} onClick={end} />}
        <span className="esp-grow" />
        {at === 0 ? null : (
          <Button label={app.t("tour.back")} className="solid" onClick={() => setAt(at - 1)} />
        )}
        <Button
          label={app.t(isLast ? "tour.done" : "tour.next")}
          className="primary"
          onClick={isLast ? end : () => setAt(at + 1)}
        />
      </div>
    </aside>
  );
}
