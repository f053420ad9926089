/**
 * How a value goes from start to end: functions from 0..1 to 0..1, by name, so that they can stand in files.
 */
const BACK = 1.70158;

/** All easings by name. `In` starts slowly, `Out` ends slowly, `InOut` does both. */
export const easings = {
  linear: (t: number): number => t,
  quadIn: (t: number): number => t * t,
  quadOut: (t: number): number => t * (2 - t),
  quadInOut: (t: number): number => (t < 0.5 ? 2 * t * t : 1 - 2 * (1 - t) * (1 - t)),
  cubicIn: (t: number): number => t * t * t,
  cubicOut: (t: number): number => 1 - (1 - t) * (1 - t) * (1 - t),
  cubicInOut: (t: number): number => (t < 0.5 ? 4 * t * t * t : 1 - 4 * (1 - t) * (1 - t) * (1 - t)),
  sineIn: (t: number): number => 1 - Math.cos((t * Math.PI) / 2),
  sineOut: (t: number): number => Math.sin((t * Math.PI) / 2),
  sineInOut: (t: number): number => (1 - Math.cos(t * Math.PI)) / 2,
  backIn: (t: number): number => t * t * ((BACK + 1) * t - BACK),
  backOut: (t: number): number => 1 - (1 - t) * (1 - t) * ((BACK + 1) * (1 - t) - BACK),
  elasticOut: (t: number): number =>
    t === 0 || t === 1 ? t : 2 ** (-10 * t) * Math.sin(((t * 10 - 0.75) * 2 * Math.PI) / 3) + 1,
  bounceOut: (t: number): number => {
    const n = 7.5625;
    const d = 2.75;
    if (t < 1 / d) return n * t * t;
    if (t < 2 / d) return n * (t - 1.5 / d) ** 2 + 0.75;
    if (t < 2.5 / d) return n * (t - 2.25 / d) ** 2 + 0.9375;
    return n * (t - 2.625 / d) ** 2 + 0.984375;
  },
} as const;

/** The name of an easing curve. */
export type EasingName = keyof typeof easings;
