import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './tokens.css'
import './base.css'
import { followPerson } from './live/of-person.ts'
import { readSession, session } from './live/office-client.ts'
import { applyPreferences, preferences } from './live/preferences.ts'
import { router } from './router.ts'
import { Spoken } from './shell/outside/spoken.tsx'
import { languageNow } from './words/language.ts'

applyPreferences()
const sayLanguage = () => {
  document.documentElement.lang = languageNow()
}
sayLanguage()
preferences.subscribe(sayLanguage)
followPerson(session)
void readSession()

const root = document.querySelector('#root')
if (!root) throw new Error('the page has no root')
createRoot(root).render(
  <StrictMode>
    <Spoken>
      <RouterProvider router={router} />
    </Spoken>
  </StrictMode>,
)
