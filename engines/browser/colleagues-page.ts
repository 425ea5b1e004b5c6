import { createAtriumClient } from '@atrium/client'
import { connectRealtime } from '@atrium/client/realtime'
import type { ChosenStatus } from '@atrium/contract'

/**
 * A page of a front end, as small as it gets: who is around, and four buttons. Bundled for the browser as a front end
 * would bundle it; colleagues.ts opens it.
 */

export interface ColleaguesPage {
  /** Has a code mailed to a new person. */
  signUp(email: string): Promise<void>
  /** Signs them in, in this browser; they found an organization, or join one. */
  come(person: Newcomer): Promise<{ inviteToken: string }>
  /** Connects, shows the person, and follows the others of the organization. */
  open(): Promise<void>
  /** What was told of the others, in order: `name: status`. */
  told: string[]
}

export interface Newcomer {
  name: string
  email: string
  code: string
  inviteToken?: string
}

const STATUSES: readonly ChosenStatus[] = ['online', 'away', 'busy', 'appear_offline']
const office = createAtriumClient({ baseUrl: new URLSearchParams(location.search).get('office') ?? '' })
const told: string[] = []

async function signUp(email: string): Promise<void> {
  await office.call('signUp', { email })
}

async function come({ name, email, code, inviteToken }: Newcomer): Promise<{ inviteToken: string }> {
  await office.call('finalizeMagicAuth', { email, code })
  await office.call('updateProfile', { displayName: name })
  if (inviteToken) {
    await office.call('joinOrganization', { inviteToken })
    return { inviteToken }
  }
  await office.call('createOrganization', { name: 'Colleagues' })
  const { inviteLink } = await office.call('getInviteLink')
  return { inviteToken: new URL(inviteLink).searchParams.get('invite_token') ?? '' }
}

async function open(): Promise<void> {
  const members = (await office.call('listMembers', {})).data
  const live = await connectRealtime(office)
  const rows = new Map<string, HTMLElement>()
  for (const { presenceUserId = '', displayName } of members) {
    const row = document.createElement('li')
    row.dataset.name = displayName
    rows.set(presenceUserId, row)
    document.querySelector('ul')?.append(row)
  }
  const show = (userId: string) => {
    const row = rows.get(userId)
    if (!row) return
    row.dataset.status = live.statusOf(userId) ?? 'unknown'
    row.textContent = `${row.dataset.name}: ${row.dataset.status}`
  }
  live.on('status', ({ userId, status }) => {
    show(userId)
    if (userId !== live.userId) told.push(`${rows.get(userId)?.dataset.name}: ${status}`)
  })
  live.on('state', ({ state }) => {
    document.body.dataset.state = state
    const shown = document.querySelector('output')
    if (shown) shown.textContent = state
  })
  for (const status of STATUSES) {
    const button = document.createElement('button')
    button.textContent = status
    button.onclick = () => void live.setStatus(status)
    document.querySelector('nav')?.append(button)
  }
  live.follow(rows.keys())
}

Object.assign(globalThis, { colleagues: { signUp, come, open, told } satisfies ColleaguesPage })
