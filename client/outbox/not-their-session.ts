/** The session is of another person or organization than the entry: it waits for its own. */
export class NotTheirSession extends Error {}
