/** The condition of most actions: a selection. */
import type { Entity } from "espalier";
import type { App } from "../app.ts";

export const hasSelection = ({ document }: App): boolean => document.selection.size > 0;
export const selected = ({ document }: App): readonly Entity[] => document.selection.entities;
