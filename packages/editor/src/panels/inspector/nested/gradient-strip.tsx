/** The colours of a gradient, from its first stop to its last. */
import type { Gradient } from "espalier/render";
import type { ReactNode } from "react";

/** Nothing if the value is not a gradient. */
export function GradientStrip({ value }: { readonly value: unknown }): ReactNode {
  if (!isGradient(value)) return null;
  const stops = [...value.stops].sort((a, b) => a.offset - b.offset);
  const colors = stops.map(({ offset, color, alpha = 1 }) => {
    const parts = [color >> 16, color >> 8, color].map((part) => part & 255);
    return `rgb(${parts.join(" ")} / ${alpha}) ${offset * 100}%`;
  });
  const first = colors[0] as string;
  // CSS needs at least two stops.
  const background = `linear-gradient(90deg, ${[...colors, ...(colors.length === 1 ? [first] : [])].join(", ")})`;
  return <div className="esp-gradient" style={{ background }} />;
}

function isGradient(value: unknown): value is Gradient {
  const { kind, stops } = (value ?? {}) as { readonly kind?: unknown; readonly stops?: unknown };
  if (kind !== "linear" && kind !== "radial") return false;
  return Array.isArray(stops) && stops.length > 0 && stops.every((stop) => Number.isFinite(stop?.color));
}
