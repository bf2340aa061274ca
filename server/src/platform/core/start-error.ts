/** A setting or the machine stands in the way of a start: one line that says what, and what to do. */
export class StartError extends Error {}
