/** What a context menu holds. */

/** An item of a menu: an action, or a submenu. */
export interface MenuItem {
  readonly label: string;
  readonly shortcut?: string | undefined;
  /** Why it cannot be chosen, as text. */
  readonly disabled?: string | undefined;
  readonly run?: () => void;
  readonly items?: readonly MenuItem[];
}

/** Items that belong together; a line is drawn between groups. */
export type MenuGroups = readonly (readonly MenuItem[])[];

/** A menu that is open, at a point of the window. */
export interface OpenMenu {
  readonly x: number;
  readonly y: number;
  readonly label: string;
  readonly groups: MenuGroups;
}
