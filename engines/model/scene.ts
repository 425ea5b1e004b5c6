import { eventually } from '../waiting.ts'
import { found, join, startSession } from './effects.ts'
import type { Device, Person } from './state.ts'
import type { World } from './world.ts'

/** How every story begins: Ada has founded Acme, where Bob is a moderator and Cem a member; Eve has founded Elsewhere. */
export async function setScene(world: World): Promise<void> {
  await Promise.all(world.people.map((person) => signUp(world, person)))
  const [ada, bob, cem, , eve] = world.people as readonly [Person, Person, Person, Person, Person]
  for (const [founder, name] of [
    [ada, 'Acme'],
    [eve, 'Elsewhere'],
  ] as const) {
    const [device] = founder.devices
    const { id } = await device.client.call('createOrganization', { name })
    const organization = found(world, founder, id, name)
    if (device.session) device.session.organization = organization
  }
  for (const [person, role] of [
    [bob, 'moderator'],
    [cem, 'member'],
  ] as const)
    await bringIn(world, ada, person, role)
}

async function signUp(world: World, person: Person): Promise<void> {
  const [device] = person.devices
  const { email } = person
  const code = await freshCode(world, email, () => device.client.call('signUp', { email }))
  await device.client.call('finalizeMagicAuth', { email, code })
  const user = await device.client.call('getCurrentUser')
  const { id, displayName, presenceUserId = '' } = user
  Object.assign(person, { id, displayName, presenceUserId })
  startSession(world, device, undefined)
}

async function bringIn(
  world: World,
  by: Person,
  person: Person,
  role: 'moderator' | 'member',
): Promise<void> {
  const { email } = person
  const organization = by.devices[0].session?.organization
  if (!organization) throw new Error('there is no organization to be brought into')
  await by.devices[0].client.call('sendInvitation', { email, role })
  const { data } = await by.devices[0].client.call('listInvitation', { email })
  const { id = '', token = '', expiresAt = '' } = data[0] ?? {}
  await person.devices[0].client.call('acceptInvitation', { token })
  organization.invitations.push({
    ...{ id, token, email, role, state: 'accepted', inviter: by },
    expiresAt: Date.parse(expiresAt),
  })
  join(world, person.devices[0], organization, person, role)
}

/** The code that is mailed for what `ask` asks: none from before it. */
export async function freshCode(world: World, email: string, ask: () => Promise<unknown>): Promise<string> {
  const known = (await codesTo(world, email)).length
  await ask()
  return await eventually(
    `a code for ${email}`,
    async () => {
      const codes = await codesTo(world, email)
      return codes.length > known ? codes[0] : undefined
    },
    { withinMs: 20_000 },
  )
}

async function codesTo({ office }: World, email: string): Promise<string[]> {
  // an office that is too busy refuses
  const mails = await eventually('the mailbox', async () => {
    const inbox = await fetch(`${office.url}/sandbox/mail?to=${encodeURIComponent(email)}`, {
      headers: { accept: 'application/json' },
    })
    return inbox.ok && ((await inbox.json()) as { code?: string }[])
  })
  return mails.flatMap(({ code }) => code ?? [])
}

/** Opens a browser's way through pages of the sandbox, with the cookies of a device, as far as the front end. */
export async function logInAt(world: World, device: Device, from: string, email: string): Promise<URL> {
  const login = await followed(world, device, from)
  const end = await followed(world, device, login.href, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ email }).toString(),
  })
  return end
}

const LANDINGS = ['/auth/complete', '/calendar/complete']

async function followed(world: World, device: Device, from: string, first: RequestInit = {}): Promise<URL> {
  let url = new URL(from)
  let init = first
  for (let hops = 0; hops < 10; hops++) {
    const headers = new Headers(init.headers)
    const cookie = device.cookies.headerFor(url)
    if (cookie) headers.set('cookie', cookie)
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    await response.body?.cancel()
    if (url.origin === new URL(world.office.url).origin)
      device.cookies.receive(response.headers.getSetCookie(), url)
    const location = response.headers.get('location')
    if (!location) return url
    url = new URL(location, url)
    if (LANDINGS.includes(url.pathname)) return url
    init = {}
  }
  throw new Error(`more than 10 redirects from ${from}`)
}
