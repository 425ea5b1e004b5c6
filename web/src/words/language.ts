import { preferences } from '../live/preferences.ts'
import { type Language, languages } from './languages.ts'

/** The chosen language, else the first of the browser's that we have. */
export function languageNow(): Language {
  const { language } = preferences.get()
  if (language !== 'system') return language
  const wanted = navigator.languages.map((tag) => tag.slice(0, 2))
  return wanted.find((tag): tag is Language => (languages as string[]).includes(tag)) ?? 'en'
}

/** For dates, times and numbers: the browser's own variant of the language, so that the clock has its usual form. */
export function localeNow(): string {
  return localeOf(languageNow(), navigator.languages)
}

/** The first of the browser's variants of a language; some browsers name ones that `Intl` does not take (`en-US@posix`). */
export function localeOf(language: Language, wanted: readonly string[]): string {
  const tags = wanted.map((tag) => tag.replace(/[@.].*$/, ''))
  return tags.find((tag) => tag.startsWith(language) && isLocale(tag)) ?? language
}

function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}
