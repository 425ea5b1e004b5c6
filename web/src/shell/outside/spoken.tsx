import type { ReactNode } from 'react'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { preferences } from '../../live/preferences.ts'
import { useStore } from '../../live/use-session.ts'
import { localeNow } from '../../words/language.ts'

/** In the language of the office, before its door too: the components have no words in other ones of browsers. */
export function Spoken({ children }: { children: ReactNode }) {
  useStore(preferences)
  return <I18nProvider locale={localeNow()}>{children}</I18nProvider>
}
