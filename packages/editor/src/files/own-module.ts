/**
 * The code of a project that its config provides for Play. Loaded only when the server, which its owner started, names it.
 */
import type { AnyBundle, AnyComponent } from "espalier";
import { componentsIn } from "../document/bundles.ts";
import { componentOf } from "../play/play-session.ts";
import type { PlaySetup } from "../play/play-setup.ts";
import type { App, Widget } from "../shell/app.ts";

/** The exports of such a module, by name or as default. */
export interface OwnModule extends PlaySetup {
  readonly components?: readonly AnyComponent[];
  readonly bundles?: readonly AnyBundle[];
  readonly widgets?: { readonly [component: string]: Widget };
}

/** Loads the module and passes it to the app. Components of the module replace those described as data. */
export async function loadOwnModule(app: App, url: string): Promise<void> {
  const module = (await import(/* @vite-ignore */ url)) as OwnModule & { readonly default?: OwnModule };
  const { components = [], bundles = [], widgets = {}, ...play } = module.default ?? module;
  const own = [...components, ...(play.behaviours ?? []).map(componentOf), ...componentsIn(bundles)];
  const names = new Set(own.map(({ name }) => name));
  app.components = [...new Set([...app.components.filter(({ name }) => !names.has(name)), ...own])];
  app.bundles = [...app.bundles, ...bundles];
  app.widgets = { ...app.widgets, ...widgets };
  app.playSetup = { ...app.playSetup, ...play };
}
