import { useSyncExternalStore } from 'react'
import { preferences } from '../live/preferences.ts'
import { languageNow } from './language.ts'
import type { Language } from './languages.ts'

/** When the words of a screen are wanted: those of one time are one file of each language, the names of emoji one of their own. */
type Time = 'at-the-door' | 'all-day' | 'together' | 'planning' | 'now-and-then' | 'emoji'

/** None is loaded before it is shown. */
const files = import.meta.glob<Record<string, unknown>>(
  './*/{at-the-door,all-day,together,planning,now-and-then,emoji}.ts',
)

/** The language that is on the screen: the chosen one, once all that is shown is there in it. */
let shown = languageNow()
const loads = new Set<(language: Language) => Promise<void>>()
const listeners = new Set<() => void>()

preferences.subscribe(() => void show(languageNow()))

async function show(language: Language): Promise<void> {
  if (language === shown) return
  try {
    // a screen that came meanwhile has its words in the language of before
    for (let count = 0; count !== loads.size; ) {
      count = loads.size
      await Promise.all([...loads].map((load) => load(language)))
    }
  } catch {
    // no network: what is shown stays as it is
    return
  }
  if (language !== languageNow()) return
  shown = language
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Loads the words of a screen in the language that is shown.
 * @param screen name of its export in the file of that time
 * @returns a hook with the words, in another language after it was chosen
 */
export async function wordsOf<Words>(time: Time, screen: string): Promise<() => Words> {
  const known = new Map<Language, Words>()
  const load = async (language: Language) => {
    const words = (await files[`./${language}/${time}.ts`]?.())?.[screen]
    if (words === undefined) throw new Error(`${screen} has no words in ${language}`)
    known.set(language, words as Words)
  }
  loads.add(load)
  while (!known.has(shown)) await load(shown)
  return () => useSyncExternalStore(subscribe, () => known.get(shown) as Words)
}
