/** How long the name of a bot may be: as that of a person. */
export const BOT_NAME = { min: 2, max: 100 }
