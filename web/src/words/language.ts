import { preferences } from '../live/preferences.ts'

export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

/** The chosen language, else the first of the browser's that we have. */
export function languageNow(): Language {
  const { language } = preferences.get()
  if (language !== 'system') return language
  const wanted = navigator.languages.map((tag) => tag.slice(0, 2))
  return wanted.find((tag): tag is Language => (languages as readonly string[]).includes(tag)) ?? 'en'
}

/** For dates, times and numbers: the browser's own variant of the language, so that the clock has its usual form. */
export function localeNow(): string {
  const language = languageNow()
  return navigator.languages.find((tag) => tag.startsWith(language)) ?? language
}
