/** Bundled from its source; its types are checked where it lives. */
declare module "@espalier/editor";
