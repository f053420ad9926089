/** Says what in a snapshot does not fit; whoever reads it makes an error of the library of it. */
export class Misfit extends Error {}
