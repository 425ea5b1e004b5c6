import { createHash, randomBytes } from 'node:crypto'
import { same } from '../disagreement.ts'
import { refused } from '../rule.ts'
import { logInAt } from '../scene.ts'
import { asks, type Cast, DONE, OK, soon } from './once.ts'
import { squarePng } from './square-png.ts'

/** (spec, Calendar; decisions, Calendar: never connected is 409, disconnect always succeeds) */
export async function calendars(cast: Cast): Promise<void> {
  for (const provider of ['A', 'B'] as const) await calendar(cast, provider)
}

async function calendar(cast: Cast, provider: 'A' | 'B'): Promise<void> {
  const { world, ada } = cast
  await asks(cast, ada, `listProvider${provider}Calendars`, {}, refused(409, 'calendar-not-connected'))
  const codeVerifier = randomBytes(32).toString('base64url')
  const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url')
  const begun = await asks<{ authData?: { redirectUrl: string }; redirectUrl?: string }>(
    cast,
    ada,
    `connectProvider${provider}Calendar`,
    { state: 'a-state-of-ours', codeChallenge },
  )
  const from = begun.authData?.redirectUrl ?? begun.redirectUrl ?? ''
  const end = await logInAt(world, ada.devices[0], from, ada.email)
  const answer = { code: end.searchParams.get('code') ?? '', codeVerifier }
  await asks(cast, ada, `finalizeProvider${provider}Calendar`, answer)
  const found = await asks<{ id: string }[]>(cast, ada, `listProvider${provider}Calendars`)
  same('the main calendar is there once', found.filter(({ id }) => id === 'primary').length, 1)
  const week = { calendarId: 'primary', timeMin: '2026-03-23T00:00:00Z', timeMax: '2026-03-30T00:00:00Z' }
  const [events] = await asks<{ events: { id: string }[] }[]>(cast, ada, `listProvider${provider}Events`, {
    calendars: [week],
  })
  const eventId = events?.events[0]?.id ?? ''
  const details = await asks<{ id: string }[]>(cast, ada, `readProvider${provider}Events`, {
    events: [{ calendarId: 'primary', eventId }],
  })
  same(
    'the event in detail',
    details.map(({ id }) => id),
    [eventId],
  )
  await asks(cast, ada, `disconnectProvider${provider}Calendar`)
  await asks(cast, ada, `listProvider${provider}Calendars`, {}, refused(409, 'calendar-not-connected'))
}

/** (spec, Finalize rules; the earlier paths answer in their earlier shapes; logos: admin, `logoUrl`) */
export async function pictures(cast: Cast): Promise<void> {
  const { ada, bob } = cast
  for (const [ticket, finalize] of [
    ['createAvatarUploadTicket', 'finalizeAvatarUpload'],
    ['createEarlierAvatarUploadTicket', 'finalizeEarlierAvatarUpload'],
    ['createLogoUploadTicket', 'finalizeLogoUpload'],
  ] as const) {
    const said = await asks<{
      uploadUrl: string
      tmpKey: string
      data?: { uploadUrl: string; tmpKey: string }
    }>(cast, ada, ticket, { contentType: 'image/png' })
    const { uploadUrl, tmpKey } = said.data ?? said
    const foreign = finalize === 'finalizeLogoUpload' ? undefined : bob
    if (foreign) await asks(cast, foreign, finalize, { tmpKey }, refused(403, 'not-your-upload'))
    await asks(cast, ada, finalize, { tmpKey }, refused(404, 'upload-not-found'))
    await put(uploadUrl)
    // the process that looks at images is started with the first of them
    await soon('the picture is checked', async () => {
      const { status } = await (
        ada.devices[0].client.request as (id: string, input: object) => Promise<{ status: number }>
      )(finalize, { tmpKey })
      return status === 200
    })
  }
  const { avatarUrl } = await asks<{ avatarUrl: string | null }>(cast, ada, 'getCurrentUser')
  same('there is a picture', typeof avatarUrl, 'string')
  await asks(cast, ada, 'removeAvatar', {}, DONE)
  await asks(cast, ada, 'removeLogo', {}, DONE)
  await asks(cast, ada, 'getCurrentUser', {}, { ...OK, body: { avatarUrl: null } })
}

async function put(url: string): Promise<void> {
  const body = new Uint8Array(squarePng(256))
  const { status } = await fetch(url, { method: 'PUT', headers: { 'content-type': 'image/png' }, body })
  same('the upload', status, 200)
}
