/**
 * The look of the editor. A string, not a CSS file, so that `mountEditor` works without a bundler that handles CSS.
 */
export const styles = `
.esp {
  --bg: #14161a; --panel: #1a1d22; --raised: #23272e; --hover: #262b33; --line: #2b3038; --line-strong: #3a414c;
  --text: #d9dde3; --muted: #98a1ae; --accent: #58b58b; --accent-text: #7fd3ac; --select: #24463a; --select-dim: #222c2a;
  --warn: #e0b15c; --bad: #f0847c; --bad-bg: #3a2326; --ok: #7fd3ac; --input: #121418; --canvas: #101216;
  --x: #e5736b; --y: #7ab87a; --z: #6ea8e0; --shadow: 0 8px 32px #0009;
  color-scheme: dark;
  position: relative; width: 100%; height: 100%; min-height: 0; overflow: hidden; display: flex; flex-direction: column;
  background: var(--bg); color: var(--text);
  font: 12px/1.35 Inter, "Segoe UI", system-ui, -apple-system, sans-serif; font-variant-numeric: tabular-nums;
  -webkit-font-smoothing: antialiased; text-align: left;
}
.esp[data-theme="light"] {
  --bg: #eceef1; --panel: #f8f9fa; --raised: #ffffff; --hover: #eceff2; --line: #dcdfe4; --line-strong: #c3c8d0;
  --text: #1d2127; --muted: #5a6370; --accent: #2a8a5f; --accent-text: #1d6e4a; --select: #cfe9dc; --select-dim: #e3f0ea;
  --warn: #8a5a00; --bad: #b3261e; --bad-bg: #fbe4e2; --ok: #1d6e4a; --input: #ffffff; --canvas: #f2f3f5;
  --x: #c2463d; --y: #3c8a3c; --z: #1d5a93; --shadow: 0 8px 32px #0003; color-scheme: light;
}
.esp *, .esp *::before, .esp *::after { box-sizing: border-box; }
.esp button, .esp input, .esp select, .esp textarea { font: inherit; color: inherit; margin: 0; }
.esp :focus-visible { outline: 2px solid var(--accent); outline-offset: -1px; border-radius: 4px; }
.esp svg { display: block; flex: none; }
.esp-sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

.esp-button { display: inline-flex; align-items: center; gap: 5px; height: 24px; padding: 0 8px; border: 1px solid transparent;
  border-radius: 5px; background: transparent; cursor: default; white-space: nowrap; }
.esp-button:hover { background: var(--hover); }
.esp-button:disabled { opacity: .4; }
.esp-button[aria-pressed="true"] { background: var(--select); color: var(--accent-text); }
.esp-button.solid { background: var(--raised); border-color: var(--line); }
.esp-button.primary { background: var(--accent); color: #08130d; font-weight: 600; }
.esp[data-theme="light"] .esp-button.primary { color: #fff; background: #217a52; }
.esp-button.icon { width: 24px; padding: 0; justify-content: center; }
.esp-kbd, .esp button.esp-kbd { font: inherit; font-size: 10.5px; color: var(--muted); border: 1px solid var(--line-strong); border-radius: 3px; padding: 0 4px; background: var(--raised); }

.esp-top { display: flex; align-items: center; gap: 2px; height: 36px; flex: none; padding: 0 8px; background: var(--panel); border-bottom: 1px solid var(--line); }
.esp-brand { display: flex; align-items: center; gap: 7px; font-weight: 650; letter-spacing: .01em; padding-right: 8px; }
.esp-brand svg { color: var(--accent); }
.esp-file { display: flex; align-items: center; gap: 6px; color: var(--muted); padding: 0 8px; max-width: 240px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.esp-file > span:first-child { overflow: hidden; text-overflow: ellipsis; }
.esp-progress { width: 64px; height: 6px; flex: none; accent-color: var(--accent); }
.esp-dot { width: 7px; height: 7px; border-radius: 50%; background: var(--warn); flex: none; }
.esp-gap { width: 1px; height: 18px; background: var(--line); margin: 0 6px; flex: none; }
.esp-grow { flex: 1; }
.esp-segment { display: inline-flex; background: var(--bg); border-radius: 6px; padding: 1px; border: 1px solid var(--line); }
.esp-segment .esp-button { height: 22px; border-radius: 4px; }
.esp-field .esp-segment .esp-button { padding: 0 5px; }
.esp-facts { overflow-wrap: anywhere; }
.esp[data-playing="true"] .esp-top { box-shadow: inset 0 -2px 0 var(--accent); }

.esp-body { flex: 1; min-height: 0; display: flex; }
.esp-handle { background: var(--line); width: 1px; position: relative; outline: none; }
.esp-handle::after { content: ""; position: absolute; inset: 0 -3px; }
.esp-handle:hover, .esp-handle[data-separator="active"] { background: var(--accent); }
.esp-handle.row { width: auto; height: 1px; }
.esp-handle.row::after { inset: -3px 0; }
.esp-panel { position: relative; display: flex; flex-direction: column; width: 100%; height: 100%; min-height: 0; background: var(--panel); }
.esp-head { display: flex; align-items: center; gap: 2px; height: 30px; flex: none; padding: 0 4px 0 10px; }
.esp-head h2 { font-size: 11px; font-weight: 600; color: var(--muted); margin: 0; letter-spacing: .02em; flex: 1; }
.esp-scroll { contain: strict; position: absolute; inset: 30px 0 0; overflow: auto; scrollbar-width: thin; scrollbar-color: var(--line-strong) transparent; }
.esp-empty { color: var(--muted); padding: 16px 14px; line-height: 1.5; }

.esp-search { container-type: inline-size; position: relative; padding: 0 6px 6px; flex: none; }
.esp-search input, .esp-input { width: 100%; height: 24px; border: 1px solid var(--line); border-radius: 5px; background: var(--input); padding: 0 7px; }
.esp-search input { padding-left: 24px; }
.esp-search svg { position: absolute; left: 13px; top: 6px; color: var(--muted); }
.esp-search output { position: absolute; right: 14px; top: 4px; color: var(--muted); }
.esp-search:has(output) input { padding-right: 78px; }
@container (max-width: 210px) { .esp-search output { display: none; } .esp-search:has(output) input { padding-right: 7px; } }
.esp-input:hover, .esp-search input:hover { border-color: var(--line-strong); }
.esp-input::placeholder, .esp-search input::placeholder { color: var(--muted); opacity: 1; }

.esp-tree { contain: content; position: relative; flex: 1; min-height: 0; overflow: auto; outline: none; scrollbar-width: thin; scrollbar-color: var(--line-strong) transparent; }
.esp-row, .esp-pin, .esp-drop-line { --indent: max(0px, calc((var(--depth) - var(--base)) * var(--step))); }
.esp-row::after { content: ""; position: absolute; left: 11px; width: var(--indent); top: 0; bottom: 0; pointer-events: none; opacity: .8;
  background: repeating-linear-gradient(to right, var(--line) 0 1px, transparent 1px var(--step)); }
.esp-pins { position: sticky; top: 0; left: 0; height: 0; z-index: 3; }
.esp-pin { display: flex; align-items: center; gap: 4px; height: 22px; padding: 0 8px 0 calc(4px + var(--indent)); background: var(--raised); cursor: default; white-space: nowrap; }
.esp-pin:last-child { box-shadow: 0 3px 6px -2px #0006; }
.esp-pin:hover { background: var(--hover); }
.esp-pin .name { overflow: hidden; text-overflow: ellipsis; min-width: 0; }
.esp-pin small { color: var(--muted); margin-left: auto; padding-left: 8px; }
.esp-trail { display: flex; align-items: center; gap: 4px; height: 28px; flex: none; padding: 0 6px; border-top: 1px solid var(--line); }
.esp-trail ol { display: flex; align-items: center; min-width: 0; margin: 0; padding: 0; list-style: none; overflow: hidden; }
.esp-trail li { display: flex; align-items: center; min-width: 0; flex: 0 1 auto; color: var(--muted); white-space: nowrap; }
.esp-trail li + li::before { content: "›"; padding: 0 1px; color: var(--muted); }
.esp-trail li button { border: 0; background: none; padding: 1px 3px; border-radius: 3px; color: var(--muted); min-width: 0; overflow: hidden; text-overflow: ellipsis; }
.esp-trail li button:hover { background: var(--hover); color: var(--text); }
.esp-trail li button[aria-current="true"] { color: var(--text); }
.esp-trail li:last-child { flex-shrink: .15; }
.esp-row { contain: size layout style; position: absolute; left: 0; right: 0; height: 22px; display: flex; align-items: center; gap: 4px; padding: 0 4px 0 calc(4px + var(--indent)); cursor: default; user-select: none; white-space: nowrap; }
.esp-row:hover { background: var(--hover); }
.esp-row[aria-selected="true"] { background: var(--select-dim); }
.esp-tree:focus .esp-row[aria-selected="true"], .esp-row[aria-selected="true"][data-primary="true"] { background: var(--select); }
.esp-tree:focus-visible { outline: none; }
.esp-tree:focus-visible .esp-row[data-focus="true"] { box-shadow: inset 0 0 0 1px var(--accent); }
.esp-row .name { overflow: hidden; text-overflow: ellipsis; flex: 1; min-width: 0; }
.esp-row[data-unnamed="true"] .name { color: var(--muted); font-style: italic; }
.esp-row .name small { font-style: normal; margin-left: 4px; }
.esp-row[data-dim="true"] .name { color: color-mix(in srgb, currentColor 50%, var(--panel)); }
.esp-row[data-context="true"] .name { color: var(--muted); }
.esp-row .match { padding: 1px 2px 1px 0; margin-right: -2px; background: color-mix(in srgb, var(--warn) 30%, transparent); border-radius: 2px; }
.esp-row[data-changed="true"]::before { content: ""; position: absolute; left: 0; width: 2px; top: 2px; bottom: 2px; background: var(--warn); }
.esp-twist { width: 16px; height: 20px; display: grid; place-items: center; color: var(--muted); flex: none; border: 0; background: none; padding: 0; }
.esp-kind { color: var(--muted); width: 14px; display: grid; place-items: center; flex: none; }
.esp-row[data-prefab="root"] .esp-kind { color: #6ea8e0; }
.esp-row[data-prefab="root"] .name { color: #8dbcec; }
.esp[data-theme="light"] .esp-row[data-prefab="root"] .name, .esp[data-theme="light"] .esp-row[data-prefab="root"] .esp-kind { color: #1d5a93; }
.esp-toggle { position: sticky; right: 4px; width: 20px; height: 20px; display: grid; place-items: center; border: 0; background: none; padding: 0; color: var(--muted); border-radius: 4px; flex: none; }
.esp-toggle[data-effective="true"]:not([data-own="true"]) { color: color-mix(in srgb, var(--muted) 45%, var(--panel)); }
.esp-toggle[data-own="true"] { color: var(--text); }
.esp-toggle:hover { background: var(--line); }
.esp-row input.rename { flex: 1; min-width: 0; height: 20px; border: 1px solid var(--accent); border-radius: 3px; background: var(--input); padding: 0 4px; }
.esp-drop-line { position: absolute; left: calc(22px + var(--indent)); right: 6px; height: 2px; background: var(--accent); pointer-events: none; border-radius: 1px; z-index: 2; }
.esp-drop-line::before { content: ""; position: absolute; left: -4px; top: -3px; width: 8px; height: 8px; border: 2px solid var(--accent); border-radius: 50%; background: var(--panel); }
.esp-drop-into { position: absolute; left: 2px; right: 2px; height: 22px; border: 1.5px solid var(--accent); border-radius: 4px; pointer-events: none; z-index: 2; }
.esp-drop-line.bad { background: var(--bad); } .esp-drop-line.bad::before { border-color: var(--bad); }
.esp-drop-into.bad { border-color: var(--bad); background: color-mix(in srgb, var(--bad) 12%, transparent); }
.esp-drag-label { position: fixed; z-index: 50; pointer-events: none; background: var(--raised); border: 1px solid var(--line-strong); border-radius: 6px; padding: 5px 8px; box-shadow: var(--shadow); max-width: 320px; white-space: normal; }
.esp-drag-label small { display: block; color: var(--muted); }
.esp-drag-label.bad { border-color: var(--bad); } .esp-drag-label.bad small { color: var(--bad); }

.esp-context { position: fixed; z-index: 60; min-width: 190px; max-height: calc(100vh - 8px); overflow: auto; padding: 4px; background: var(--raised); border: 1px solid var(--line-strong); border-radius: 7px; box-shadow: var(--shadow); outline: none; }
.esp-context > [role="group"] + [role="group"] { margin-top: 4px; padding-top: 4px; border-top: 1px solid var(--line); }
.esp-context-item { display: flex; align-items: center; gap: 10px; min-height: 24px; padding: 2px 8px; border-radius: 4px; outline: none; cursor: default; white-space: nowrap; }
.esp-context-item .label { flex: 1; }
.esp-context-item:focus { background: var(--select); }
.esp-context-item[aria-disabled="true"] { color: var(--muted); }
.esp-context-item .reason { color: var(--muted); font-style: italic; max-width: 220px; white-space: normal; }

.esp-others { display: flex; gap: 2px; flex: none; }
.esp-others i { width: 8px; height: 8px; border-radius: 50%; box-shadow: 0 0 0 1px var(--panel); }
.esp-people { display: flex; align-items: center; gap: 3px; list-style: none; margin: 0 4px 0 0; padding: 0; }
.esp-people li { min-width: 22px; height: 22px; padding: 0 3px; border: 2px solid var(--line-strong); border-radius: 11px; display: grid; place-items: center; font-size: 10px; font-weight: 600; background: var(--raised); }
.esp-people li.alone { border: 0; background: none; font-size: inherit; font-weight: 400; color: var(--muted); white-space: nowrap; }
.esp-connection { margin-right: 8px; color: var(--warn); white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }

.esp-warning { color: var(--warn); flex: none; }
.esp-top { display: grid; grid-template-columns: minmax(0, 1fr) auto minmax(0, 1fr); }
.esp-top .side { display: flex; align-items: center; gap: 2px; min-width: 0; }
.esp-top .side:last-child { justify-content: flex-end; }
.esp-behind { display: flex; align-items: center; color: var(--muted); white-space: nowrap; min-width: 0; }
.esp-badge { font-size: 10.5px; font-weight: 600; color: #8dbcec; border: 1px solid currentColor; border-radius: 8px; padding: 0 6px; }
.esp[data-theme="light"] .esp-badge { color: #1d5a93; }
.esp[data-prefab="true"] .esp-top { box-shadow: inset 0 -2px 0 #6ea8e0; }
.esp[data-prefab="true"] .esp-viewport::after { content: ""; position: absolute; inset: 0; border: 2px solid #6ea8e0; pointer-events: none; }
.esp-field:has(.esp-problem) { z-index: 5; }
.esp-tour { position: absolute; z-index: 42; left: 50%; transform: translateX(-50%); bottom: 32%; width: min(360px, 80%); padding: 12px 14px; background: var(--raised); border: 1px solid var(--accent); border-radius: 9px; box-shadow: var(--shadow); }
.esp-tour h2 { margin: 2px 0 4px; font-size: 14px; }
.esp-tour p { margin: 0 0 10px; line-height: 1.5; }
.esp-tour small { color: var(--muted); }
.esp-tour .buttons { display: flex; gap: 6px; }
.esp-marked { outline: 2px solid var(--accent) !important; outline-offset: -2px; }
.esp-snap { position: absolute; top: 34px; z-index: 4; width: 210px; margin: 0; padding: 8px 10px; border: 1px solid var(--line-strong); border-radius: 7px; background: var(--raised); display: grid; gap: 4px; }
.esp-snap label { display: flex; align-items: center; gap: 6px; }
.esp-snap small { color: var(--muted); }
.esp-reference { display: flex; align-items: center; gap: 4px; flex: 1; min-width: 0; }

.esp-section { border-top: 1px solid var(--line); }
.esp-section > header { display: flex; align-items: center; gap: 4px; min-height: 28px; padding: 0 6px 0 10px; }
.esp-section > header h3 { margin: 0; font-size: 12px; font-weight: 600; flex: 1; min-width: 0; overflow-wrap: anywhere; }
.esp-section .fields { padding: 0 10px 8px 10px; display: grid; gap: 3px; }
.esp-field { contain: layout style; display: grid; grid-template-columns: minmax(64px, 38%) 1fr; align-items: center; gap: 6px; min-height: 24px; position: relative; }
.esp-field.wide { grid-template-columns: 1fr; }
.esp-field > .label { color: var(--muted); min-width: 0; overflow-wrap: anywhere; hyphens: auto; }
.esp-field > .label.scrub { cursor: ew-resize; touch-action: none; user-select: none; }
.esp-field[data-override="true"] > .label { color: var(--text); font-weight: 600; }
.esp-field[data-override="true"]::before { content: ""; position: absolute; left: -8px; top: 3px; bottom: 3px; width: 2px; border-radius: 1px; background: #6ea8e0; }
.esp-field[data-changed="true"] > .label { color: var(--warn); }
.esp-field .value { display: flex; align-items: center; gap: 4px; min-width: 0; }
.esp-field .error { grid-column: 1 / -1; color: var(--bad); font-size: 11px; padding: 0 0 4px; }
.esp-input[aria-invalid="true"] { border-color: var(--bad); }
.esp-nested { border: 0; margin: 0; padding: 0; min-width: 0; display: grid; gap: 3px; width: 100%; }
.esp-nested > .head { display: flex; align-items: center; gap: 2px; min-height: 24px; min-width: 0; }
.esp-nested .fold { display: flex; align-items: center; gap: 2px; flex: 1; min-width: 0; height: 22px; padding: 0; border: 0; background: none; text-align: left; color: var(--muted); }
.esp-nested .fold:hover { color: var(--text); }
.esp-nested .fold .name { flex: none; max-width: 60%; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.esp-nested .fold small { margin-left: 6px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.esp-nested .fold .esp-twist { margin-left: -4px; }
.esp-nested > .inside { display: grid; gap: 3px; margin-left: 4px; padding-left: 8px; border-left: 1px solid var(--line); min-width: 0; }
.esp-nested .esp-field { grid-template-columns: minmax(44px, 34%) 1fr; }
.esp-nested .esp-field > .label { display: flex; align-items: center; gap: 2px; }
.esp-nested .esp-field > .label > span { overflow: hidden; text-overflow: ellipsis; }
.esp-nested .esp-button.icon { width: 20px; height: 20px; flex: none; color: var(--muted); }
.esp-nested .esp-button.icon:hover, .esp-nested .esp-button.icon:focus-visible { color: var(--text); }
.esp-nested .error { color: var(--bad); font-size: 11px; }
.esp-items { display: grid; gap: 3px; min-width: 0; }
.esp-item { position: relative; min-width: 0; }
.esp-item[data-drop]::before { content: ""; position: absolute; left: 0; right: 0; height: 2px; background: var(--accent); z-index: 1; }
.esp-item[data-drop="before"]::before { top: -3px; } .esp-item[data-drop="after"]::before { bottom: -3px; }
.esp-grip { width: 14px; height: 20px; padding: 0; border: 0; background: none; color: var(--muted); cursor: grab; touch-action: none; display: grid; place-items: center; flex: none; border-radius: 3px; }
.esp-grip:hover, .esp-grip:focus-visible { color: var(--text); background: var(--hover); }
.esp-more { display: flex; align-items: center; gap: 4px; width: 100%; }
select.esp-more, .esp-more > input { color: var(--muted); border-style: dashed; background: none; }
.esp-gradient { height: 12px; border-radius: 4px; border: 1px solid var(--line); }
.esp-unit { color: var(--muted); flex: none; font-size: 11px; }
.esp-triple .value { gap: 3px; }
.esp-triple .esp-axis { flex: 1; gap: 2px; }
.esp-triple .esp-input { padding: 0 4px; }
.esp-axis > .z { color: var(--z); }
.esp-problem { position: absolute; z-index: 5; top: 100%; right: 0; max-width: 100%; margin-top: 2px; padding: 3px 7px; border-radius: 5px; background: var(--bad-bg); color: var(--bad); font-size: 11px; box-shadow: var(--shadow); }
.esp-set { color: var(--muted); }
.esp-pair { display: grid; grid-template-columns: 40% 1fr; align-items: center; gap: 4px; margin: 2px 0 4px; padding-left: 10px; font-size: 11px; color: var(--muted); }
.esp-shared-note { margin: 0; font-size: 11px; color: var(--muted); }
.esp-fold { display: flex; align-items: center; gap: 2px; width: 100%; padding: 0; margin-left: -8px; border: 0; background: none; font: inherit; text-align: left; color: inherit; }
.esp-fold:disabled { color: inherit; }
.esp-section > header h3 .esp-fold { font-weight: 600; }
.esp-pair { display: grid; grid-template-columns: 1fr 1fr; gap: 4px; flex: 1; min-width: 0; }
.esp-axis { display: flex; align-items: center; gap: 4px; min-width: 0; }
.esp-axis > span { font-size: 10.5px; font-weight: 700; width: 9px; cursor: ew-resize; touch-action: none; user-select: none; }
.esp-axis > .x { color: var(--x); } .esp-axis > .y { color: var(--y); }
.esp-checkbox { width: 15px; height: 15px; accent-color: var(--accent); }
.esp-color { width: 34px; height: 22px; padding: 1px; border: 1px solid var(--line); border-radius: 5px; background: var(--input); }
.esp-code { font: 11px/1.4 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
textarea.esp-input { height: auto; min-height: 44px; padding: 4px 7px; resize: vertical; }
.esp-title { padding: 8px 10px 8px; display: grid; gap: 5px; }
.esp-title .esp-input { font-weight: 600; font-size: 13px; height: 26px; }
.esp-title .path { color: var(--muted); overflow-wrap: anywhere; }
.esp-states { display: flex; gap: 4px; flex-wrap: wrap; }
.esp-state { display: flex; align-items: center; gap: 4px; border: 1px solid var(--line); border-radius: 5px; padding: 2px 5px; background: transparent; text-align: left; }
.esp-state b { font-weight: 600; } .esp-state small { color: var(--muted); }
.esp-prefab { display: flex; flex-wrap: wrap; align-items: center; gap: 4px; padding: 6px 10px; background: color-mix(in srgb, #6ea8e0 10%, transparent); border-top: 1px solid var(--line); }
.esp-prefab .what { flex: 1; min-width: 120px; }
.esp-origin { display: block; font-size: 11px; color: var(--muted); }
.esp-add { padding: 10px; border-top: 1px solid var(--line); }
.esp-menu { margin-top: 6px; background: var(--raised); border: 1px solid var(--line-strong); border-radius: 7px; padding: 4px; }
.esp-menu .list { max-height: 220px; overflow: auto; margin-top: 4px; }
.esp-menu .list button { display: flex; width: 100%; justify-content: flex-start; height: 26px; }
.esp-list { margin: 0; padding: 2px 4px 6px; list-style: none; }
.esp-list li > button, .esp-line { display: flex; width: 100%; align-items: center; gap: 6px; min-height: 24px; padding: 2px 8px; border: 0; border-radius: 4px; background: none; text-align: left; }
.esp-list li > button:hover { background: var(--hover); }
.esp-list li > button[aria-current="true"] { background: var(--select); }
.esp-list li > button[data-undone="true"] { color: var(--muted); }
.esp-list .grow { flex: 1; min-width: 0; overflow-wrap: anywhere; }
.esp-list small, .esp-line small { color: var(--muted); }

.esp-tabs { display: flex; align-items: center; gap: 1px; height: 30px; padding: 0 6px; flex: none; border-bottom: 1px solid var(--line); overflow-x: auto; scrollbar-width: none; }
.esp-tab { height: 24px; padding: 0 9px; border: 0; border-radius: 5px; background: none; color: var(--muted); white-space: nowrap; }
.esp-tab:hover { background: var(--hover); color: var(--text); }
.esp-tab[aria-selected="true"] { color: var(--text); background: var(--raised); }
.esp-count { background: var(--bad-bg); color: var(--bad); border-radius: 8px; padding: 0 6px; margin-left: 5px; font-size: 10.5px; }

.esp-viewport { position: relative; flex: 1; min-height: 0; width: 100%; height: 100%; background: var(--canvas); overflow: hidden; }
.esp-viewport canvas { position: absolute; inset: 0; width: 100%; height: 100%; touch-action: none; outline: none; }
.esp-tools { position: absolute; left: 8px; top: 8px; display: flex; gap: 6px; flex-wrap: wrap; pointer-events: none; right: 8px; }
.esp-tools > * { pointer-events: auto; background: color-mix(in srgb, var(--panel) 92%, transparent); box-shadow: 0 1px 4px #0004; }
.esp-status { position: absolute; left: 10px; bottom: 8px; color: var(--muted); pointer-events: none; text-shadow: 0 0 4px var(--canvas); }
.esp-banner { position: absolute; top: 46px; left: 50%; transform: translateX(-50%); background: var(--select); color: var(--accent-text); border-radius: 6px; padding: 4px 10px; pointer-events: none; }

.esp-assets { display: grid; grid-template-columns: repeat(auto-fill, minmax(92px, 1fr)); gap: 6px; padding: 8px; }
.esp-assets[hidden] { display: none; }
.esp-asset { display: grid; gap: 4px; justify-items: center; padding: 8px 4px; border: 1px solid var(--line); border-radius: 6px; background: var(--raised); overflow: hidden; cursor: grab; text-align: center; }
.esp-asset:hover { border-color: var(--line-strong); }
.esp-asset-icon { display: grid; place-items: center; height: 44px; color: #6ea8e0; }
.esp-asset-picture[hidden] { display: none; }
.esp[data-theme="light"] .esp-asset-picture { background: #dfe3e8; border-radius: 4px; }
.esp-asset img { height: 44px; max-width: 80px; object-fit: contain; }
.esp-asset span { max-width: 100%; overflow-wrap: anywhere; font-size: 11px; line-height: 1.25; }
.esp-table { width: 100%; border-collapse: collapse; }
.esp-table th { text-align: left; font-weight: 500; color: var(--muted); padding: 3px 10px; position: sticky; top: 0; background: var(--panel); }
.esp-table td { padding: 2px 10px; border-top: 1px solid var(--line); }
.esp-table td.number, .esp-table th.number { text-align: right; }
.esp-plot { contain: strict; width: 100%; height: 60px; display: block; }
.esp-columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(240px, 1fr)); gap: 0 12px; }
.esp-columns .esp-button { margin: 2px 10px; }
.esp-columns h3, .esp-sub { font-size: 11px; color: var(--muted); font-weight: 600; margin: 8px 10px 2px; }

.esp-overlay { position: absolute; inset: 0; background: #0007; display: grid; justify-items: center; align-items: start; padding: 9vh 16px 16px; z-index: 40; overflow: auto; }
.esp-dialog { width: min(640px, 100%); background: var(--panel); border: 1px solid var(--line-strong); border-radius: 10px; box-shadow: var(--shadow); overflow: hidden; }
.esp-dialog:focus { outline: none; }
.esp-dialog > header { display: flex; align-items: center; padding: 12px 12px 8px 16px; }
.esp-dialog > header h2 { margin: 0; font-size: 15px; flex: 1; font-weight: 650; }
.esp-dialog .content { padding: 4px 16px 16px; max-height: 66vh; overflow: auto; }
.esp-palette input { width: 100%; height: 42px; border: 0; border-bottom: 1px solid var(--line); background: none; padding: 0 16px; font-size: 14px; outline: none; }
.esp-palette [cmdk-list] { max-height: 360px; overflow: auto; padding: 6px; }
.esp-palette [cmdk-item] { display: flex; align-items: center; gap: 8px; height: 30px; padding: 0 10px; border-radius: 5px; }
.esp-palette [cmdk-item][data-selected="true"] { background: var(--select); }
.esp-palette [cmdk-item][data-disabled="true"] { opacity: .45; }
.esp-palette [cmdk-group-heading] { color: var(--muted); font-size: 11px; padding: 6px 10px 2px; }
.esp-palette [cmdk-empty] { padding: 16px; color: var(--muted); }
.esp-overrides summary { font-size: 11px; color: var(--muted); cursor: pointer; }
.esp-overrides ul { list-style: none; margin: 2px 0; padding: 0; }
.esp-overrides .grow { flex: 1; min-width: 0; overflow-wrap: anywhere; }
.esp-dialog footer { padding: 8px 16px 12px; gap: 8px; border-top: 1px solid var(--line); }
.esp-dialog form label { display: block; margin-bottom: 4px; color: var(--muted); }
.esp-dialog .esp-refused { margin: 6px 0 0; color: var(--bad); }
.esp-conflicts { list-style: none; margin: 0; padding: 0; }
.esp-conflicts fieldset { border: 0; border-top: 1px solid var(--line); margin: 0; padding: 6px 0; min-width: 0; }
.esp-conflicts .esp-line { width: auto; padding: 0; }
.esp-conflicts fieldset > small { display: block; padding-left: 22px; }
.esp-conflicts code { overflow-wrap: anywhere; }
.esp-conflicts small { color: var(--muted); }
.esp-keys { display: grid; grid-template-columns: repeat(auto-fit, minmax(260px, 1fr)); gap: 0 24px; }
.esp-keys div { display: flex; align-items: center; gap: 8px; min-height: 26px; }
.esp-keys span { flex: 1 0 45%; }
.esp-samples { display: grid; grid-template-columns: repeat(auto-fill, minmax(110px, 1fr)); gap: 10px; margin: 6px 0 12px; }
.esp-sample { text-align: left; border: 1px solid var(--line); border-radius: 8px; background: var(--raised); padding: 0; overflow: hidden; }
.esp-sample:hover { border-color: var(--accent); }
.esp-sample .art { height: 76px; display: block; width: 100%; }
.esp-sample .info { display: block; padding: 8px 10px 10px; }
.esp-sample b { display: block; margin-bottom: 2px; } .esp-sample small { color: var(--muted); }
.esp:has(.esp-overlay) .esp-messages { top: auto; bottom: 24px; }
.esp-messages { position: absolute; left: 50%; transform: translateX(-50%); top: 84px; display: grid; gap: 6px; z-index: 45; width: max-content; max-width: min(460px, 80%); pointer-events: none; }
.esp-message { pointer-events: auto; }
.esp-message .text { flex: 1; min-width: 0; }
.esp-message summary { color: var(--muted); font-size: 11px; cursor: pointer; }
.esp-message { display: flex; gap: 8px; align-items: flex-start; background: var(--raised); border: 1px solid var(--line-strong); border-radius: 7px; padding: 7px 7px 7px 12px; box-shadow: var(--shadow); overflow-wrap: anywhere; }
.esp-message[data-kind="error"] { border-color: var(--bad); }
.esp-message p { margin: 2px 0 0; flex: 1; }
.esp-filedrop { position: absolute; inset: 8px; border: 2px dashed var(--accent); border-radius: 10px; display: grid; place-items: center; font-size: 16px; background: color-mix(in srgb, var(--bg) 80%, transparent); z-index: 44; pointer-events: none; }
@media (max-width: 860px) { .esp-top .wide { display: none; } .esp-tab { padding: 0 6px; } .esp-tabs { padding: 0 2px; } .esp-sample .art { height: 52px; } }
@media (prefers-reduced-motion: reduce) { .esp * { transition: none !important; } }
`;
