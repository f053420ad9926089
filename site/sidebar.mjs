/** The order of the pages. A guide that is missing here fails the build; see config.mts. */

/**
 * @typedef {object} Group
 * @property {string} text
 * @property {{ text: string, page: string }[]} items `page` is the name of a file in docs/guide, without its end.
 */

/** @type {Group[]} */
export const guides = [
  {
    text: "Start",
    items: [
      { text: "Getting started", page: "getting-started" },
      { text: "Development and production", page: "builds" },
      { text: "Without a bundler", page: "no-bundler" },
    ],
  },
  {
    text: "Data",
    items: [
      { text: "Entities and components", page: "ecs" },
      { text: "Queries", page: "queries" },
      { text: "Relations", page: "relations" },
      { text: "Commands", page: "commands" },
      { text: "Events", page: "events" },
      { text: "Schedules", page: "schedule" },
    ],
  },
  {
    text: "Trees",
    items: [
      { text: "Hierarchies", page: "hierarchy" },
      { text: "Transforms", page: "transforms" },
      { text: "Inherited values", page: "inherited-values" },
      { text: "Undo and redo", page: "history" },
      { text: "Transactions", page: "transactions" },
      { text: "Snapshots and diffs", page: "snapshots" },
      { text: "Following changes", page: "following-changes" },
      { text: "A world that survives", page: "world-log" },
      { text: "Scenes and prefabs", page: "scenes" },
      { text: "Saving and migrations", page: "saving" },
      { text: "Editing together", page: "shared-editing" },
      { text: "Automating scenes", page: "automating-scenes" },
    ],
  },
  {
    text: "Games",
    items: [
      { text: "The game layer", page: "game" },
      { text: "Behaviours", page: "behaviours" },
      { text: "Which entities take part", page: "taking-part" },
      { text: "States", page: "states" },
      { text: "State charts", page: "state-charts" },
      { text: "Input", page: "input" },
      { text: "A touch stick", page: "touch-stick" },
      { text: "User interfaces", page: "user-interfaces" },
      { text: "Rendering", page: "rendering" },
      { text: "Assets", page: "assets" },
      { text: "Animation", page: "animation" },
      { text: "Maps from Tiled and LDtk", page: "maps" },
      { text: "Sound", page: "sound" },
      { text: "three.js", page: "three" },
      { text: "React and signals", page: "react" },
      { text: "Physics", page: "physics" },
      { text: "Physics in three dimensions", page: "physics-3d" },
      { text: "Path finding", page: "path-finding" },
      { text: "A game in a worker", page: "worker" },
      { text: "Multiplayer", page: "multiplayer" },
    ],
  },
  {
    text: "Work",
    items: [
      { text: "The editor", page: "editor" },
      { text: "Command line", page: "cli" },
      { text: "Scenes in git", page: "scenes-in-git" },
      { text: "Working with an agent", page: "agents" },
      { text: "Testing your game", page: "testing" },
      { text: "Publishing a game", page: "deploy" },
      { text: "Performance", page: "performance" },
      { text: "What each call costs", page: "costs" },
      { text: "Compared with others", page: "comparison" },
    ],
  },
  {
    text: "Coming from",
    items: [
      { text: "Unity", page: "coming-from-unity" },
      { text: "Godot", page: "coming-from-godot" },
      { text: "Bevy", page: "coming-from-bevy" },
      { text: "flecs", page: "coming-from-flecs" },
      { text: "EnTT", page: "coming-from-entt" },
      { text: "Shipyard", page: "coming-from-shipyard" },
      { text: "bitECS", page: "coming-from-bitecs" },
      { text: "koota", page: "coming-from-koota" },
      { text: "miniplex", page: "coming-from-miniplex" },
      { text: "three.js", page: "coming-from-three" },
      { text: "PixiJS", page: "coming-from-pixi" },
    ],
  },
];
