import type { Theme } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import Playground from "./Playground.vue";
import Snippet from "./Snippet.vue";
import "./site.css";
import "./playground.css";

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component("Snippet", Snippet);
    app.component("Playground", Playground);
  },
} satisfies Theme;
