/** The size, in pixels, of a texture that is not loaded. */
export const UNKNOWN_TEXTURE = 32;
