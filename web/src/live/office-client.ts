import { createAtriumClient, type SuccessBody } from '@atrium/client'
import { createSession } from '@atrium/client/session'
import { createStore } from '@atrium/client/store'
import { languageNow } from '../words/language.ts'
import { isMarkedSignedIn, markSignedIn } from './signed-in-mark.ts'

/** The one way to the office: the page came from where it answers. */
export const client = createAtriumClient({
  baseUrl: '',
  language: languageNow,
  async fetch(...call) {
    const answer = await fetch(...call)
    if (answer.status === 401) askAfterRefusal()
    return answer
  },
})

/** This moment by the office's own time, for comparing with moments that it tells: a laptop's clock may be wrong. */
export function officeNow(): Date {
  return new Date(client.time.now())
}

export type Offer = SuccessBody<'describeOffice'>

let known: Promise<Offer> | undefined

/** What this office offers before anybody signs in, as it was read last. Rejects as `call` does. */
export function knownOffer(): Promise<Offer> {
  return known ?? readOffer()
}

function readOffer(): Promise<Offer> {
  const request = client.call('describeOffice')
  known = request
  request.catch(() => {
    if (known === request) known = undefined
  })
  return request
}

/**
 * Who is signed in, in every tab. It is outside React: nothing that is rendered ends it. Where nothing says that
 * anybody is, what the office offers is read first, which the sign-in page needs anyway: it tells of a cookie.
 */
export const session = createSession(client, {
  isAnybody: async () => isMarkedSignedIn() || (await readOffer()).session === true,
})
markSignedIn(session)

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

let isAsking = false

/** A cookie that is gone or has expired is told by no event: the first call that it is missed in shows it. */
function askAfterRefusal(): void {
  if (isAsking || session.get().state !== 'signed-in') return
  isAsking = true
  void session
    .refresh()
    // the next call that is refused asks once more
    .catch(() => {})
    .finally(() => {
      isAsking = false
    })
}
