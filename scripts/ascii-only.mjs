/**
 * A plugin of the build of the library: characters beyond ASCII are written as escapes. V8 keeps a source with two bytes for each character as soon
 * as one of them is beyond Latin-1, such as the dots in a message. Rolldown 1.2 has an option for it (`charset`); tsdown still brings an older one.
 *
 * @returns {import("rolldown").Plugin}
 */
export function asciiOnly() {
  return {
    name: "ascii-only",
    // Not earlier: strings are printed anew after each chunk was rendered.
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type === "chunk") chunk.code = escapeBeyondAscii(chunk.code);
      }
    },
  };
}

/**
 * Right where such characters stand in strings, templates, regular expressions and comments only.
 *
 * @param {string} code
 */
export function escapeBeyondAscii(code) {
  return code.replace(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
