/** There is more than a file made on this page can have. */
export class TooManyRows extends Error {}
