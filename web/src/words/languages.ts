/** Languages of the web office, as those who read them call them: a folder of words each. */
export const languageNames = { en: 'English', de: 'Deutsch' } as const

export type Language = keyof typeof languageNames

export const languages = Object.keys(languageNames) as Language[]
