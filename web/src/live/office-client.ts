import { createAtriumClient } from '@atrium/client'
import { createSession } from '@atrium/client/session'
import { createStore } from '@atrium/client/store'
import { languageNow } from '../words/language.ts'

/** The one way to the office: the page came from where it answers. */
export const client = createAtriumClient({ baseUrl: '', language: languageNow })

/** Who is signed in, in every tab. It is outside React: nothing that is rendered ends it. */
export const session = createSession(client)

/** Whether the office has said who is signed in, the last time it was asked. */
export const officeAnswers = createStore(true)

/** Asks who is signed in. Never rejects: `officeAnswers` says whether there was an answer. */
export async function readSession(): Promise<void> {
  try {
    await session.refresh()
    officeAnswers.set(true)
  } catch {
    officeAnswers.set(false)
  }
}
