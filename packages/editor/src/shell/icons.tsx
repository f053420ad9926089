/** Icons, drawn in 14 by 14. Hidden from screen readers: the elements around them have labels. */
import type { ReactNode } from "react";

function icon(path: ReactNode, size = 14): ReactNode {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 14 14"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.3"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {path}
    </svg>
  );
}

export const icons = {
  brand: icon(<path d="M7 13V2M7 4.5 3 2.5M7 4.5l4-2M7 8.5l-5-2.3M7 8.5l5-2.3M2 11.5h10" />, 17),
  twist: icon(<path d="m5.5 4 3 3-3 3" />, 12),
  twistOpen: icon(<path d="m4 5.5 3 3 3-3" />, 12),
  entity: icon(<rect x="3.5" y="3.5" width="7" height="7" rx="1.5" />),
  folder: icon(
    <path d="M2 4.2c0-.6.4-1 1-1h2.3l1.2 1.4H11c.6 0 1 .4 1 1v4.2c0 .6-.4 1-1 1H3c-.6 0-1-.4-1-1z" />,
  ),
  prefab: icon(<path d="m7 1.8 4.6 2.6v5.2L7 12.2 2.4 9.6V4.4zM2.4 4.4 7 7l4.6-2.6M7 7v5.2" />),
  shape: icon(
    <>
      <circle cx="5" cy="5.2" r="3" />
      <path d="M7 7.5h5v4.5H7z" />
    </>,
  ),
  text: icon(<path d="M3 3.5h8M7 3.5v7.5M5.5 11h3" />),
  eye: icon(
    <>
      <path d="M1.5 7S3.5 3.3 7 3.3 12.5 7 12.5 7 10.500 10.700 7 10.700 1.500 7 1.500 7z" />
      <circle cx="7" cy="7" r="1.6" />
    </>,
  ),
  eyeOff: icon(
    <path d="M2 2l10 10M5.800 3.500C6.200 3.400 6.600 3.300 7 3.300c3.500 0 5.500 3.700 5.500 3.700s-.6 1.100-1.700 2.100M3.700 4.500C2.300 5.500 1.500 7 1.500 7s2 3.700 5.500 3.700c.8 0 1.500-.2 2.200-.5" />,
  ),
  lock: icon(
    <>
      <rect x="3" y="6.300" width="8" height="5.500" rx="1.200" />
      <path d="M4.800 6.300V4.500a2.200 2.200 0 0 1 4.400 0v1.800" />
    </>,
  ),
  unlock: icon(
    <>
      <rect x="3" y="6.300" width="8" height="5.500" rx="1.200" />
      <path d="M4.800 6.300V4.500a2.200 2.200 0 0 1 4.200-.9" />
    </>,
  ),
  warning: icon(<path d="M7 2 12.500 11.500h-11zM7 5.800v2.800M7 10.200v.01" />),
  sound: icon(
    <path d="M2 5.4h2.2L7.200 2.900v8.200L4.200 8.600H2zM9.200 5.200a2.600 2.600 0 0 1 0 3.600M10.900 3.600a4.900 4.900 0 0 1 0 6.800" />,
  ),
  camera: icon(<path d="M1.800 4.300h7.200v5.400H1.800zM9 6.200l3.200-1.700v5L9 7.800" />),
  spark: icon(
    <path d="M7 1.800v3M7 9.200v3M1.800 7h3M9.200 7h3M3.500 3.500l1.800 1.800M8.700 8.700l1.800 1.800M10.500 3.500 8.700 5.300M5.300 8.700l-1.800 1.800" />,
  ),
  body: icon(<path d="M4 5h6l1.800 7H2.200zM5.500 5a1.500 1.500 0 1 1 3 0" />),
  cube: icon(
    <path d="m7 1.800 4.600 2.600v5.200L7 12.200 2.400 9.600V4.400zM7 7v5.200M7 7 2.400 4.400M7 7l4.600-2.600" />,
  ),
  star: icon(
    <path d="m7 1.800 1.600 3.400 3.700.5-2.700 2.600.7 3.700L7 10.200 3.700 12l.7-3.700-2.700-2.600 3.700-.5z" />,
  ),
  flag: icon(<path d="M3.500 12.500v-11M3.500 2h7.500L9 4.800l2 2.800H3.500" />),
  heart: icon(
    <path d="M7 11.800S1.800 8.600 1.800 5.200A2.600 2.600 0 0 1 7 4.300a2.600 2.600 0 0 1 5.200.9C12.200 8.600 7 11.800 7 11.800z" />,
  ),
  sort: icon(
    <path d="M3.500 3v8M1.800 9.300 3.500 11l1.700-1.700M7.500 3.500h5M7.500 7h3.800M7.500 10.500h2.500" />,
  ),
  plus: icon(<path d="M7 3v8M3 7h8" />),
  grip: icon(<path d="M5 3.5h.01M9 3.5h.01M5 7h.01M9 7h.01M5 10.5h.01M9 10.5h.01" strokeWidth="1.8" />),
  braces: icon(
    <path d="M5.5 2.5c-2 0-1 3.500-2.800 4.500 1.800 1 .8 4.500 2.800 4.500M8.500 2.500c2 0 1 3.500 2.800 4.500-1.800 1-.8 4.500-2.800 4.500" />,
  ),
  minus: icon(<path d="M3 7h8" />),
  close: icon(<path d="m3.500 3.500 7 7M10.500 3.500l-7 7" />),
  search: icon(
    <>
      <circle cx="6" cy="6" r="3.500" />
      <path d="m8.700 8.700 3 3" />
    </>,
  ),
  expand: icon(<path d="m4 5.500 3-3 3 3M4 8.500l3 3 3-3" />),
  collapse: icon(<path d="m4 2.500 3 3 3-3M4 11.500l3-3 3 3" />),
  undo: icon(<path d="M5 3 2.500 5.500 5 8M2.500 5.500h5.700a3.200 3.200 0 0 1 0 6.400H5" />),
  redo: icon(<path d="m9 3 2.500 2.500L9 8M11.500 5.500H5.800a3.200 3.200 0 0 0 0 6.400H9" />),
  save: icon(
    <path d="M2.500 3.500c0-.6.4-1 1-1H9l2.500 2.500v5.500c0 .6-.4 1-1 1h-7c-.6 0-1-.4-1-1zM5 2.700V5h3.500V2.700M4.500 11.300V8h5v3.300" />,
  ),
  open: icon(
    <path d="M2 10.500v-6.300c0-.6.4-1 1-1h2.300l1.200 1.400H10c.6 0 1 .4 1 1v.9M2 10.500l1.400-3.400c.1-.4.5-.6.9-.6H12c.5 0 .8.500.6 1l-1.200 2.900c-.1.400-.5.600-.9.600H2.600c-.3 0-.6-.2-.6-.5z" />,
  ),
  play: icon(<path d="M4 2.800v8.400l7-4.200z" fill="currentColor" />),
  pause: icon(<path d="M4.500 3v8M9.500 3v8" strokeWidth="2" />),
  step: icon(<path d="M3.500 3v8l5.500-4zM11 3v8" />),
  stop: icon(<rect x="3.500" y="3.500" width="7" height="7" rx="1" fill="currentColor" />),
  select: icon(<path d="m3 2.500 3.200 9 1.500-3.800 3.800-1.500z" />),
  move: icon(
    <path d="M7 1.800v10.400M1.800 7h10.400M5.500 3.300 7 1.800l1.500 1.500M5.500 10.700 7 12.200l1.500-1.500M3.300 5.500 1.800 7l1.500 1.500M10.700 5.500 12.200 7l-1.500 1.500" />,
  ),
  rotate: icon(<path d="M11.700 7a4.700 4.700 0 1 1-1.500-3.400M11.700 1.500v2.400H9.300" />),
  scale: icon(<path d="M2.500 8v3.500H6M11.500 6V2.500H8M2.700 11.300l3-3M11.300 2.700l-3 3" />),
  skew: icon(<path d="M4.500 3h8L9.500 11h-8z" />),
  magnet: icon(
    <path d="M3 2.500h2.200v4.300a1.800 1.800 0 0 0 3.600 0V2.500H11v4.300a4 4 0 0 1-8 0zM3 4.700h2.200M8.800 4.700H11" />,
  ),
  grid: icon(<path d="M2.500 2.500h9v9h-9zM5.500 2.500v9M8.500 2.500v9M2.500 5.500h9M2.500 8.500h9" />),
  links: icon(
    <>
      <circle cx="3.500" cy="3.500" r="1.500" />
      <circle cx="10.500" cy="10.500" r="1.500" />
      <path d="M4.600 4.600l4.800 4.800" />
    </>,
  ),
  loner: icon(
    <>
      <rect x="5" y="2" width="4" height="4" rx="1" />
      <path d="M3 9.500h2.500v2.500H3zM8.500 9.500H11v2.500H8.500z" strokeDasharray="1.500 1.500" />
    </>,
  ),
  globe: icon(
    <>
      <circle cx="7" cy="7" r="4.800" />
      <path d="M2.200 7h9.600M7 2.200c3 3 3 6.600 0 9.600M7 2.200c-3 3-3 6.600 0 9.600" />
    </>,
  ),
  axes: icon(<path d="M3 11V3M3 11h8M3 11l4.500-4.500" />),
  pivot: icon(
    <>
      <circle cx="7" cy="7" r="2" />
      <path d="M7 1.500v3.500M7 9v3.500M1.500 7H5M9 7h3.500" />
    </>,
  ),
  pick: icon(
    <>
      <circle cx="7" cy="7" r="4" />
      <path d="M7 1.500v3M7 9.500v3M1.500 7h3M9.500 7h3" />
    </>,
  ),
  help: icon(
    <>
      <circle cx="7" cy="7" r="5" />
      <path d="M5.500 5.500a1.500 1.500 0 1 1 2.200 1.400c-.5.3-.7.600-.7 1.200M7 10v.1" />
    </>,
  ),
  palette: icon(
    <path d="M4.500 4.500h5v5h-5zM4.500 4.500H3.200a1.300 1.300 0 1 1 1.300-1.300zM9.500 4.500V3.200a1.300 1.300 0 1 1 1.300 1.300zM9.500 9.500h1.300a1.300 1.300 0 1 1-1.300 1.300zM4.500 9.500v1.300a1.300 1.300 0 1 1-1.300-1.300z" />,
  ),
  image: icon(
    <>
      <rect x="2" y="3" width="10" height="8" rx="1" />
      <path d="m2.500 10 3-3 2 2 1.500-1.500 2.500 2.500" />
    </>,
  ),
  back: icon(<path d="M8.500 3.500 5 7l3.500 3.500" />),
} as const;
