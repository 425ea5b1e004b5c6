import { useSyncExternalStore } from 'react'
import { preferences } from '../live/preferences.ts'
import { type Language, languageNow } from './language.ts'

/** The words of a folder in the language of the page: `useWords({ en, de })`. */
export function useWords<Words>(of: Record<Language, Words>): Words {
  const language = useSyncExternalStore(preferences.subscribe, languageNow)
  return of[language]
}
