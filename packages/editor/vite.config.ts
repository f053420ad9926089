import { defineConfig } from "vite";
import { pageBuild } from "./page-build.ts";

/** The page of the editor, on the built library. */
export default defineConfig(pageBuild("dist"));
