import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  atMedia,
  claimsOf,
  guestLink,
  insideOf,
  joinRoom,
  knock,
  newRoom,
} from '../../../tests/chapters/rooms.ts'
import { hold, untilBlocked } from '../../../tests/held-locks.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newMember } from '../../../tests/people.ts'
import { type RecordedOutbox, recordOutbox } from '../../../tests/recorded-outbox.ts'
import { trusted } from '../../platform/ids.ts'
import { isDeciderThere } from './deciders-presence.ts'

const IDENTITY = /^guest:[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('authorizeGuest', () => {
  let office: TestOffice
  let outbox: RecordedOutbox
  beforeAll(async () => {
    office = await openTestOffice({ settings: { GUESTS_WAITING_PER_INVITE: '0' } })
    outbox = await recordOutbox(office.database)
  })
  afterAll(() => office.close())

  async function place(options: Parameters<typeof guestLink>[2] = {}) {
    const founder = await newFounder(office)
    const { id: roomId } = await newRoom(founder)
    return { founder, roomId, token: await guestLink(founder, roomId, options) }
  }
  const events = (organizationId: string) => outbox.events(`user:${organizationId}`)

  it('answers a token that can neither publish nor subscribe, for an identity of ours', async () => {
    const { roomId, token } = await place()
    const guest = await knock(token, office.browser(), ' Bob ')
    const claims = claimsOf(guest.rtcToken)
    expect(claims).toMatchObject({ sub: guest.guestIdentity, name: 'Bob' })
    expect(claims.sub).toMatch(IDENTITY)
    expect(claims.video).toEqual({
      roomJoin: true,
      room: roomId,
      canPublish: false,
      canSubscribe: false,
      canPublishData: false,
      canUpdateOwnMetadata: false,
      hidden: true,
    })
    expect((claims.exp as number) - (claims.nbf as number)).toBe(600)
    expect(guest.state).toBe('waiting')
  })

  it('is not in the way of whoever deletes the room meanwhile, nor they in the way of a guest', async () => {
    const { founder, roomId, token } = await place()
    const counting = await hold(office, 'select pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `guests before ${roomId}`,
    ])
    const asked = office.browser().request('authorizeGuest', { inviteToken: token, guestName: 'Bob' })
    await untilBlocked(office, 1)
    const deleted = founder.browser.request('deleteRoom', { roomId })
    // at the room, not at what lies below it: there the two would wait for each other
    expect(await untilBlocked(office, 2)).toContainEqual(expect.stringMatching(/^select .* from "rooms"/))
    await counting.letGo()
    expect(await Promise.all([asked, deleted])).toMatchObject([{ status: 200 }, { status: 204 }])
    const { rows } = await office.database.pool.query(
      'select expires_at <= $2 as over from guests where room_id = $1',
      [roomId, office.clock.now()],
    )
    expect(rows).toEqual([{ over: true }])
  })

  it('lets the token live no longer than the link', async () => {
    const { token } = await place({ durationSeconds: 90 })
    const claims = claimsOf((await knock(token, office.browser())).rtcToken)
    const life = (claims.exp as number) - (claims.nbf as number)
    expect(life).toBeLessThanOrEqual(90)
    expect(life).toBeGreaterThan(60)
  })

  it('opens the room: the guest can wait in it at once, without rights', async () => {
    const { roomId, token } = await place()
    const guest = await knock(token, office.browser())
    await joinRoom(office, guest.rtcToken)
    expect((await insideOf(office, roomId)).get(guest.guestIdentity)).toMatchObject({ mayPublish: false })
  })

  it('tells those who may admit', async () => {
    const { founder, roomId, token } = await place()
    const { guestIdentity } = await knock(token, office.browser(), 'Bob')
    expect(await events(founder.organizationId)).toMatchObject([
      {
        channel: expect.stringMatching(new RegExp(`^user:${founder.organizationId}:user_`)),
        type: 'guest.waiting',
        data: { roomId, guestIdentity, guestName: 'Bob', since: expect.stringMatching(/Z$/) },
      },
    ])
  })

  it('lets an automatic return take nothing over from another tab', async () => {
    const founder = await newFounder(office)
    const { id: roomId } = await newRoom(founder)
    const inviteToken = await guestLink(founder, roomId)
    const browser = office.browser()
    const guest = await knock(inviteToken, browser)
    const first = await joinRoom(office, guest.rtcToken)
    const back = { inviteToken, guestName: 'Gast', returning: { participantSid: first } }
    expect((await browser.request('authorizeGuest', back)).status).toBe(200)
    await joinRoom(office, guest.rtcToken)
    expect(await browser.request('authorizeGuest', back)).toMatchObject({
      status: 409,
      body: { error: 'already-inside' },
    })
  })

  it('keeps the identity and the place of a browser over a reload, and takes a new name while it waits', async () => {
    const { founder, roomId, token } = await place()
    const browser = office.browser()
    const first = await knock(token, browser, 'Bob')
    office.clock.advance(30)
    const again = await knock(token, browser, 'Bob')
    expect(again).toMatchObject({ guestIdentity: first.guestIdentity, state: 'waiting' })
    expect(await events(founder.organizationId)).toHaveLength(1)
    await knock(token, browser, 'Robert')
    const { guests } = await founder.browser.call('listGuests', { roomId })
    expect(guests).toMatchObject([{ guestIdentity: first.guestIdentity, guestName: 'Robert' }])
    expect((await events(founder.organizationId)).map(({ data }) => data)).toMatchObject([
      { guestName: 'Bob' },
      { guestName: 'Robert' },
    ])
    expect((await knock(token, office.browser())).guestIdentity).not.toBe(first.guestIdentity)
  })

  it('has a cookie for each link, HttpOnly, that is of no use for another', async () => {
    const one = await place()
    const other = await guestLink(one.founder, one.roomId)
    const browser = office.browser()
    const answer = await browser.request('authorizeGuest', { inviteToken: one.token, guestName: 'Bob' })
    const cookie = answer.headers.get('set-cookie') ?? ''
    // as long as the link, which was made a moment before
    expect(cookie).toMatch(
      /^atrium_guest_[0-9a-f]{32}=gst_[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    const first = (answer.body as { guestIdentity: string }).guestIdentity
    const second = await knock(other, browser)
    expect(second.guestIdentity).not.toBe(first)
    expect((await knock(one.token, browser)).guestIdentity).toBe(first)
    const { rows } = await office.database.pool.query('select guests::text as row from guests')
    const value = /=(gst_[\w-]+);/.exec(cookie)?.[1] as string
    expect(JSON.stringify(rows)).not.toContain(value)
  })

  it('has a place for each link, whoever sends the cookie of one with the other', async () => {
    const one = await place()
    const tokens = [one.token, await guestLink(one.founder, one.roomId)]
    const knockWith = (inviteToken: string | undefined, cookie: string) =>
      fetch(`${office.baseUrl}/api/v1/rtc/guest/room-auth`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie },
        body: JSON.stringify({ inviteToken, guestName: 'Bob' }),
      })
    const cookies = await Promise.all(
      tokens.map(async (token) => (await knockWith(token, '')).headers.get('set-cookie')?.split(/[=;]/)),
    )
    const value = cookies[0]?.[1]
    for (const [at, token] of tokens.entries())
      expect((await knockWith(token, `${cookies[at]?.[0]}=${value}`)).status).toBe(200)
    const { guests } = await one.founder.browser.call('listGuests', { roomId: one.roomId })
    expect(guests).toHaveLength(3)
  })

  it('gives one browser one place, when it asks twice at once', async () => {
    const { founder, roomId, token } = await place()
    const browser = office.browser()
    await knock(token, browser)
    await Promise.all(Array.from({ length: 5 }, () => knock(token, browser)))
    const { guests } = await founder.browser.call('listGuests', { roomId })
    expect(guests).toHaveLength(1)
  })

  it('lets an admitted guest come back with all rights, under the name they were let in by', async () => {
    const { founder, roomId, token } = await place()
    const browser = office.browser()
    const { guestIdentity } = await knock(token, browser, 'Bob')
    await founder.browser.call('admitGuest', { roomId, guestIdentity, action: 'admit' })
    const again = await knock(token, browser, 'The CEO')
    expect(again).toMatchObject({ guestIdentity, state: 'admitted' })
    expect(claimsOf(again.rtcToken)).toMatchObject({
      name: 'Bob',
      video: { canPublish: true, canSubscribe: true, canPublishData: true, hidden: false, room: roomId },
    })
  })

  it('does not hear the denied for a while, longer each time, and then as somebody new', async () => {
    const { founder, roomId, token } = await place({ durationSeconds: 86_400 })
    const browser = office.browser()
    const identities = new Set<string>()
    for (const seconds of [60, 300, 1_500, 3_600, 3_600]) {
      const { guestIdentity } = await knock(token, browser)
      identities.add(guestIdentity)
      await founder.browser.call('admitGuest', { roomId, guestIdentity, action: 'deny' })
      const refused = await browser.request('authorizeGuest', { inviteToken: token, guestName: 'Bob' })
      expect(refused).toMatchObject({ status: 403, body: { error: 'guest-denied' } })
      const wait = Number(refused.headers.get('retry-after'))
      expect(wait).toBeGreaterThan(seconds - 10)
      expect(wait).toBeLessThanOrEqual(seconds)
      office.clock.advance(wait + 1)
    }
    expect(identities.size).toBe(5)
  })

  it('gives a browser that comes again, twice at once, one new place', async () => {
    const { founder, roomId, token } = await place()
    const browser = office.browser()
    const { guestIdentity } = await knock(token, browser)
    await founder.browser.call('admitGuest', { roomId, guestIdentity, action: 'deny' })
    office.clock.advance(61)
    const again = await Promise.all(Array.from({ length: 6 }, () => knock(token, browser)))
    expect(new Set(again.map((guest) => guest.guestIdentity)).size).toBe(1)
    expect(again[0]?.guestIdentity).not.toBe(guestIdentity)
  })

  it.each([
    ['no token', { guestName: 'Bob' }],
    ['an empty token', { inviteToken: '', guestName: 'Bob' }],
    ['a token that is a number', { inviteToken: 5, guestName: 'Bob' }],
    ['a token that is none', { inviteToken: 'a.b.c.d.e', guestName: 'Bob' }],
    ['a token that is too long', { inviteToken: 'x'.repeat(5_000), guestName: 'Bob' }],
    ['no name', { inviteToken: 'x' }],
  ])('refuses %s', async (_what, input) => {
    expect((await office.browser().request('authorizeGuest', input as never)).status).toBe(400)
  })

  it.each([
    ['an empty name', ''],
    ['a name of spaces', '  '],
    ['a name that cannot be seen', '\u200b'],
    ['a name that turns around', 'a\u202eb'],
    ['a name of 101 characters', 'x'.repeat(101)],
    ['a name of 101 signs of two halves', '🦊'.repeat(101)],
    ['half a sign', 'a\ud83e'],
    ['a name with NUL', 'a\u0000b'],
    ['a name of two lines', 'a\nb'],
    ['a name that steers a terminal', 'a\u001b[31m'],
    ['a name that is a number', 5],
  ])('refuses %s, and keeps nothing', async (_what, guestName) => {
    const { founder, roomId, token } = await place()
    const asked = { inviteToken: token, guestName } as never
    expect((await office.browser().request('authorizeGuest', asked)).status).toBe(400)
    expect((await founder.browser.call('listGuests', { roomId })).guests).toEqual([])
  })

  it.each(['🦊'.repeat(100), 'x'.repeat(100), '<b>Ada</b>', '42', 'guest:1', 'Ада'])(
    'takes the name %s as it is: it is no identity',
    async (name) => {
      const { token } = await place()
      const guest = await knock(token, office.browser(), name)
      expect(claimsOf(guest.rtcToken)).toMatchObject({ sub: guest.guestIdentity, name })
      expect(guest.guestIdentity).toMatch(IDENTITY)
    },
  )

  it('refuses a token that was tampered with anywhere', async () => {
    const { token } = await place()
    const parts = token.split('.')
    for (const at of [0, 2, 3, 4]) {
      const changed = parts.map((part, index) =>
        index === at ? `${part.slice(0, 5)}${part[5] === 'A' ? 'B' : 'A'}${part.slice(6)}` : part,
      )
      const asked = { inviteToken: changed.join('.'), guestName: 'Bob' }
      expect((await office.browser().request('authorizeGuest', asked)).status).toBe(400)
    }
  })

  it('refuses tokens of other kinds: an invite link, a room token', async () => {
    const { founder, roomId } = await place()
    const { inviteLink } = await founder.browser.call('getInviteLink')
    const { token } = await founder.browser.call('authorizeRoom', { username: 'Ada', roomId })
    for (const inviteToken of [new URL(inviteLink).searchParams.get('invite_token') as string, token]) {
      const asked = { inviteToken, guestName: 'Bob' }
      expect((await office.browser().request('authorizeGuest', asked)).status).toBe(400)
    }
  })

  it('says that a link has expired, to those who waited too', async () => {
    const { token } = await place({ durationSeconds: 60 })
    const browser = office.browser()
    await knock(token, browser)
    office.clock.advance(61)
    for (const one of [browser, office.browser()])
      expect(await one.request('authorizeGuest', { inviteToken: token, guestName: 'Bob' })).toMatchObject({
        status: 410,
        body: { code: 410 },
      })
  })

  it('does not find a room that is gone, with its organization or alone', async () => {
    const { founder, token } = await place()
    await founder.browser.call('deleteOrganization', { organizationId: founder.organizationId })
    const ask = (inviteToken: string) =>
      office.browser().request('authorizeGuest', { inviteToken, guestName: 'Bob' })
    expect(await ask(token)).toMatchObject({ status: 404, body: { error: 'room-not-found' } })
    const other = await place()
    await office.database.pool.query('delete from rooms where id = $1', [other.roomId])
    expect((await ask(other.token)).status).toBe(404)
  })

  it('keeps nobody waiting where the media server is away', async () => {
    const { founder, roomId, token } = await place()
    const asked = { inviteToken: token, guestName: 'Bob' }
    await atMedia(office, 'faults', { calls: 'refused' })
    const answer = await office.browser().request('authorizeGuest', asked)
    await atMedia(office, 'faults', { calls: 'answered' })
    expect(answer.status).toBe(503)
    expect((await founder.browser.call('listGuests', { roomId })).guests).toEqual([])
  })

  it('lets a hundred wait before a room, and says so to the next', async () => {
    const { founder, token, roomId } = await place()
    await knock(token, office.browser())
    await office.database.pool.query(
      `insert into guests (id, organization_id, room_id, invite_id, name, invited_by, allow_all, allowed_admins,
          expires_at, state, since, absent_at, created_at)
        select gen_random_uuid(), organization_id, room_id, invite_id, name, invited_by, allow_all, allowed_admins,
          expires_at, state, since, absent_at, created_at from guests, generate_series(1, 99) where room_id = $1`,
      [roomId],
    )
    const refused = await office.browser().request('authorizeGuest', { inviteToken: token, guestName: 'Bob' })
    expect(refused).toMatchObject({ status: 429, body: { error: 'too-many-waiting' } })
    expect(refused.headers.get('retry-after')).toBe('60')
    expect((await founder.browser.call('listGuests', { roomId })).guests).toHaveLength(100)
  })

  it('lets exactly a hundred wait where many more come at once, and the next when one is decided on', async () => {
    const { founder, token, roomId } = await place()
    const ask = () => office.browser().request('authorizeGuest', { inviteToken: token, guestName: 'Bob' })
    const statusesOf = async (count: number) =>
      (await Promise.all(Array.from({ length: count }, ask))).map(({ status }) => status)
    // few at a time, so that each is heard within the two seconds that a request waits for the database
    for (let waiting = 0; waiting < 90; waiting += 10)
      expect(new Set(await statusesOf(10))).toEqual(new Set([200]))
    expect((await statusesOf(20)).sort()).toEqual([...Array(10).fill(200), ...Array(10).fill(429)])
    const { guests } = await founder.browser.call('listGuests', { roomId })
    expect(guests.filter(({ state }) => state === 'waiting')).toHaveLength(100)
    const [{ guestIdentity = '' } = {}] = guests
    await founder.browser.call('admitGuest', { roomId, guestIdentity, action: 'admit' })
    expect((await statusesOf(3)).sort()).toEqual([200, 429, 429])
  })
})

describe('whether a guest is told that somebody is there', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  async function place(allowed: (ids: { founder: string; second: string }) => object = () => ({})) {
    const founder = await newFounder(office)
    const second = await newMember(office, founder, 'admin')
    const { id: roomId } = await newRoom(founder)
    const token = await guestLink(founder, roomId, allowed({ founder: founder.id, second: second.id }))
    const ask = async (browser = office.browser()) =>
      await browser.call('authorizeGuest', { inviteToken: token, guestName: 'Gast' })
    return { founder, second, roomId, ask }
  }

  it('is so where somebody who may admit is online, away or busy, and of nobody else', async () => {
    const { founder, second, ask } = await place(({ founder: id }) => ({ allowedAdmins: [id] }))
    await second.browser.call('setPresenceStatus', { status: 'online' })
    expect(await ask()).toMatchObject({ state: 'waiting', told: false })
    for (const status of ['online', 'away', 'busy'] as const) {
      await founder.browser.call('setPresenceStatus', { status })
      expect(await ask()).toMatchObject({ state: 'waiting', told: true })
    }
  })

  it('is asked again with each asking, and not said of whoever is in', async () => {
    const { founder, roomId, ask } = await place(() => ({ allowAll: true }))
    const browser = office.browser()
    expect(await ask(browser)).toMatchObject({ told: false })
    await founder.browser.call('setPresenceStatus', { status: 'online' })
    const { told, guestIdentity = '' } = await ask(browser)
    expect(told).toBe(true)
    await founder.browser.call('admitGuest', { roomId, guestIdentity, action: 'admit' })
    expect(await ask(browser)).not.toHaveProperty('told')
  })

  it('is the same of who appears offline, is offline or was never there, by the same statements', async () => {
    const answers = new Set<string>()
    for (const status of ['appear_offline', 'offline', undefined] as const) {
      const { founder, second, ask } = await place(() => ({ allowAll: true }))
      for (const { browser, id } of [founder, second]) {
        await browser.call('setPresenceStatus', { status: 'appear_offline' })
        const { pool } = office.database
        if (status === 'offline')
          await pool.query(`update presence set status = 'offline' where user_id = $1`, [id])
        if (!status) await pool.query('delete from presence where user_id = $1', [id])
      }
      const { told, state } = await ask()
      const statements: string[] = []
      const db = office.database.db.withPlugin({
        transformQuery({ node }) {
          statements.push(node.kind)
          return node
        },
        transformResult: async ({ result }) => result,
      })
      const { rows } = await office.database.pool.query(
        'select id from organizations where identity_organization_id = $1',
        [founder.organizationId],
      )
      const [organization, invitedBy] = [trusted.organizationId(rows[0].id), trusted.userId(founder.id)]
      const there = await isDeciderThere(db, { organization, allowAll: true, allowedAdmins: [], invitedBy })
      answers.add(JSON.stringify({ told, state, there, statements }))
    }
    const statements = ['RawNode', 'SelectQueryNode']
    const answer = { told: false, state: 'waiting', there: false, statements }
    expect([...answers]).toEqual([JSON.stringify(answer)])
  })
})

describe('the places of one link', () => {
  it('are as many as the setting says, also where more come at once, and free again with a decision', async () => {
    const office = await openTestOffice({ settings: { GUESTS_WAITING_PER_INVITE: '3' } })
    try {
      const founder = await newFounder(office)
      const { id: roomId } = await newRoom(founder)
      const tokens = [await guestLink(founder, roomId), await guestLink(founder, roomId)]
      const ask = (inviteToken = '', browser = office.browser()) =>
        browser.request('authorizeGuest', { inviteToken, guestName: 'Bob' })
      const [waiting, ...answers] = await Promise.all(Array.from({ length: 8 }, () => ask(tokens[0])))
      const statuses = [waiting, ...answers].map((answer) => answer?.status).sort()
      expect(statuses).toEqual([200, 200, 200, 429, 429, 429, 429, 429])
      const browser = office.browser()
      expect(await ask(tokens[0], browser)).toMatchObject({
        status: 429,
        body: { error: 'too-many-waiting' },
      })
      // another link before the same room has places of its own
      expect((await ask(tokens[1])).status).toBe(200)
      const { guests } = await founder.browser.call('listGuests', { roomId })
      expect(guests).toHaveLength(4)
      const guestIdentity = guests[0]?.guestIdentity ?? ''
      await founder.browser.call('admitGuest', { roomId, guestIdentity, action: 'admit' })
      expect((await ask(tokens[0], browser)).status).toBe(200)
      // who waits already keeps the place
      expect((await ask(tokens[0], browser)).status).toBe(200)
      expect((await ask(tokens[0])).status).toBe(429)
    } finally {
      await office.close()
    }
  })
})

describe('the only place of a link', () => {
  it('is given to a browser that comes again for it, twice at once', async () => {
    const office = await openTestOffice({ settings: { GUESTS_WAITING_PER_INVITE: '1' } })
    try {
      const founder = await newFounder(office)
      const { id: roomId } = await newRoom(founder)
      const token = await guestLink(founder, roomId)
      const browser = office.browser()
      const { guestIdentity } = await knock(token, browser)
      await founder.browser.call('admitGuest', { roomId, guestIdentity, action: 'deny' })
      office.clock.advance(61)
      const counting = await hold(office, 'select pg_advisory_xact_lock(hashtextextended($1, 0))', [
        `guests before ${roomId}`,
      ])
      const asked = [1, 2].map(() =>
        browser.request('authorizeGuest', { inviteToken: token, guestName: 'Bob' }),
      )
      await untilBlocked(office, 2)
      await counting.letGo()
      expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200])
      const { guests } = await founder.browser.call('listGuests', { roomId })
      expect(guests.filter(({ state }) => state === 'waiting')).toHaveLength(1)
    } finally {
      await office.close()
    }
  })
})

describe('a link that has ended', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  async function admitted(durationSeconds = 60) {
    const founder = await newFounder(office)
    const author = { ...(await newMember(office, founder, 'member')), organizationId: founder.organizationId }
    const { id: roomId } = await newRoom(founder)
    const token = await guestLink(author, roomId, { durationSeconds, allowAll: true })
    const browser = office.browser()
    const { guestIdentity } = await knock(token, browser)
    await joinRoom(office, (await knock(token, browser)).rtcToken)
    await founder.browser.call('admitGuest', { roomId, guestIdentity, action: 'admit' })
    const ask = (one = browser) => one.request('authorizeGuest', { inviteToken: token, guestName: 'Bob' })
    const preview = (one = browser) => one.request('previewGuestInvite', { inviteToken: token })
    return { founder, author, roomId, token, browser, guestIdentity, ask, preview }
  }
  type Scene = Awaited<ReturnType<typeof admitted>>

  it.each<[string, (scene: Scene) => Promise<unknown>]>([
    ['by itself', async () => office.clock.advance(3_600)],
    [
      'early',
      async ({ founder }) => {
        const [{ inviteId = '' } = {}] = (await founder.browser.call('listGuestInvites')).invites
        await founder.browser.call('revokeGuestInvite', { inviteId })
      },
    ],
    ['with a membership', ({ founder, author }) => founder.browser.call('removeMember', { id: author.id })],
  ])('%s still lets in whoever was admitted with it, and nobody else', async (_how, end) => {
    const scene = await admitted()
    const { founder, guestIdentity, roomId, ask, preview } = scene
    await end(scene)
    await office.office.jobs.runNow('expire-guests')
    const again = await ask()
    expect(again).toMatchObject({ status: 200, body: { guestIdentity, state: 'admitted' } })
    const { rtcToken } = again.body as { rtcToken: string }
    const { exp, nbf, video } = claimsOf(rtcToken)
    expect(video).toMatchObject({ canPublish: true })
    expect((exp as number) - (nbf as number)).toBe(600)
    expect(again.headers.get('set-cookie')).toMatch(/Max-Age=43200;/)
    expect((await preview()).status).toBe(200)
    for (const refused of [await ask(office.browser()), await preview(office.browser())])
      expect(refused).toMatchObject({ status: 410, body: { error: 'gone' } })
    await founder.browser.call('removeGuest', { roomId, guestIdentity })
    for (const refused of [await ask(), await preview()]) expect(refused.status).toBe(410)
  })

  it('keeps the place of nobody who waited', async () => {
    const { ask, preview, token } = await admitted()
    const browser = office.browser()
    await knock(token, browser)
    office.clock.advance(61)
    for (const refused of [await ask(browser), await preview(browser)]) expect(refused.status).toBe(410)
  })

  it('has been of somebody who is no admin any more: another can let its guests in', async () => {
    const founder = await newFounder(office)
    const named = await newMember(office, founder, 'admin')
    const { id: roomId } = await newRoom(founder)
    const token = await guestLink(founder, roomId, { allowedAdmins: [named.id] })
    const { guestIdentity } = await knock(token, office.browser())
    const decide = () => founder.browser.request('admitGuest', { roomId, guestIdentity, action: 'admit' })
    expect((await decide()).status).toBe(403)
    await founder.browser.call('updateMember', { id: named.id, role: 'member' })
    await founder.browser.call('setPresenceStatus', { status: 'online' })
    expect(
      await office.browser().call('authorizeGuest', { inviteToken: token, guestName: 'B' }),
    ).toMatchObject({
      told: true,
    })
    expect((await decide()).status).toBe(200)
  })
})

describe('the budget of guests', () => {
  it('is not drawn on by a reload or a look of whoever has a place, but by another name and another link', async () => {
    const office = await openTestOffice({ settings: { RATE_LIMIT_GUEST_PER_ADDRESS: '3' } })
    try {
      const founder = await newFounder(office)
      const { id: roomId } = await newRoom(founder)
      const tokens = [await guestLink(founder, roomId), await guestLink(founder, roomId)]
      const browser = office.browser()
      const ask = (at: number, guestName = 'Bob', one = browser) =>
        one.request('authorizeGuest', { inviteToken: tokens[at] ?? '', guestName })
      const look = (one = browser) => one.request('previewGuestInvite', { inviteToken: tokens[0] ?? '' })
      expect((await ask(0)).status).toBe(200)
      for (let time = 0; time < 5; time += 1)
        expect([(await ask(0)).status, (await look()).status]).toEqual([200, 200])
      expect((await ask(0, 'Robert')).status).toBe(200)
      expect((await ask(1)).status).toBe(200)
      expect((await ask(0, 'Bob')).status).toBe(429)
      expect((await look(office.browser())).status).toBe(429)
      expect((await ask(0, 'Robert')).status).toBe(200)
    } finally {
      await office.close()
    }
  })

  it('is for each address, and says how much is left', async () => {
    const office = await openTestOffice({ settings: { RATE_LIMIT_GUEST_PER_ADDRESS: '3' } })
    try {
      const ask = () => office.browser().request('authorizeGuest', { inviteToken: 'x', guestName: 'Bob' })
      const look = () => office.browser().request('previewGuestInvite', { inviteToken: 'x' })
      const answers = [await ask(), await look(), await ask(), await look()]
      expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 429])
      expect(answers.map(({ headers }) => headers.get('ratelimit-remaining'))).toEqual(['2', '1', '0', '0'])
      expect(Number(answers[3]?.headers.get('retry-after'))).toBeGreaterThan(0)
    } finally {
      await office.close()
    }
  })
})
