/** Icons and colours of rows by the components of their entities: the editor's defaults, and the user's choices. */

export const markIcons = [
  "entity",
  "text",
  "image",
  "shape",
  "camera",
  "spark",
  "body",
  "cube",
  "star",
  "flag",
  "heart",
] as const;
export type MarkIcon = (typeof markIcons)[number];

/** Colours that can be read on both themes. */
export const markColors = {
  red: "#e0645c",
  orange: "#d08a2e",
  green: "#4f9d69",
  blue: "#4a90d9",
  violet: "#a56bd0",
} as const;

/** How rows of entities with a component are marked. */
export interface RowMark {
  readonly icon?: MarkIcon;
  readonly color?: string;
}

export type RowMarks = { readonly [component: string]: RowMark };

/** The first one whose component an entity has applies. */
const usual: readonly (readonly [component: string, mark: RowMark])[] = [
  ["TextBlock", { icon: "text" }],
  ["Sprite", { icon: "image" }],
  ["Shape", { icon: "shape" }],
  ["Camera", { icon: "camera", color: "#a56bd0" }],
  ["ParticleEmitter", { icon: "spark", color: "#d08a2e" }],
  ["RigidBody", { icon: "body" }],
  ["Transform3D", { icon: "cube" }],
];

/**
 * The mark of an entity with these components: the user's own come first, for icon and colour separately. `undefined` if no
 * component has one.
 */
export function rowMark(own: RowMarks, components: readonly string[]): RowMark | undefined {
  const found = [
    ...components.flatMap((name) => own[name] ?? []),
    ...usual.flatMap(([name, mark]) => (components.includes(name) ? [mark] : [])),
  ];
  if (found.length === 0) return undefined;
  const icon = found.find((mark) => mark.icon !== undefined)?.icon;
  const color = found.find((mark) => mark.color !== undefined)?.color;
  return { ...(icon === undefined ? {} : { icon }), ...(color === undefined ? {} : { color }) };
}
