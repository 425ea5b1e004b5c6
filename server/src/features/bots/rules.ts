/** How long the name of a worker may be. */
export const AGENT_NAME = { min: 1, max: 64 }

/** How long the name of a bot may be: as that of a person. */
export const BOT_NAME = { min: 2, max: 100 }
