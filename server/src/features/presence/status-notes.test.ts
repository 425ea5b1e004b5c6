import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { type Colleague, joinedBy, newColleague } from '../../../tests/realtime/colleagues.ts'
import { type RecordedOutbox, recordOutbox } from '../../../tests/recorded-outbox.ts'
import { changePresence } from './change-presence.ts'

const HOUR = 3_600

describe('the note and the end of a status', () => {
  let office: TestOffice
  let outbox: RecordedOutbox
  beforeAll(async () => {
    office = await openTestOffice()
    outbox = await recordOutbox(office.database)
    // the people here have no connections: the poll would notice
    await office.office.jobs.stop()
  })
  afterAll(() => office.close())

  const inSeconds = (seconds: number) =>
    new Date(office.clock.now().getTime() + seconds * 1_000).toISOString()
  /** What one sees of another: the same in the list and alone. */
  async function viewOf(by: Colleague, of: Colleague) {
    const { data } = await by.browser.call('listMembers', { query: of.email })
    expect(await by.browser.call('getMember', { id: of.user.id })).toEqual(data[0])
    const { presenceStatus, note, until: end } = data[0] as (typeof data)[number]
    return [presenceStatus, note, end]
  }
  /** What colleagues are told of a member, as far as it is of presence. */
  async function eventsOf({ organization, user }: Colleague) {
    const statuses = await outbox.events(`status:${organization.identityId}:${user.identityId}`)
    const profiles = (await outbox.events(`org:${organization.identityId}`)).filter(
      ({ type, data }) => type === 'profile.updated' && (data as { userId: string }).userId === user.id,
    )
    return {
      statuses: statuses.map(({ data }) => (data as { status: string }).status),
      notes: profiles.map(({ data }) => {
        const { note, until: end } = data as { note: unknown; until: unknown }
        return [note, end]
      }),
    }
  }
  const lose = (one: Colleague) =>
    changePresence(
      { db: office.database.db, clock: office.clock, presenceRules: { restoreManual: false } },
      one,
      { kind: 'lost' },
    )

  it('are shown to colleagues, and told by profile.updated where nothing else changes', async () => {
    const ada = await newColleague(office)
    const grace = await joinedBy(office, ada)
    const end = inSeconds(HOUR)
    const reply = await ada.browser.call('setPresenceStatus', {
      status: 'busy',
      note: '  Deep work 👩‍💻 ',
      until: end,
    })
    expect(reply).toEqual({ userId: ada.user.identityId, status: 'busy' })
    expect(await viewOf(grace, ada)).toEqual(['busy', 'Deep work 👩‍💻', end])
    await ada.browser.call('setPresenceStatus', { status: 'busy' })
    await ada.browser.call('setPresenceStatus', { status: 'busy', note: 'Review' })
    await ada.browser.call('setPresenceStatus', { status: 'busy', note: '' })
    expect(await viewOf(grace, ada)).toEqual(['busy', undefined, undefined])
    expect(await eventsOf(ada)).toEqual({
      statuses: ['busy'],
      notes: [
        ['Deep work 👩‍💻', end],
        ['Review', null],
        [null, null],
      ],
    })
  })

  it('tell no colleague offline from appear_offline, and oneself everything', async () => {
    const ada = await newColleague(office)
    const grace = await joinedBy(office, ada)
    const observer = await joinedBy(office, ada)
    const lunch = { note: 'Lunch', until: inSeconds(HOUR) }
    for (const one of [ada, grace]) await one.browser.call('setPresenceStatus', { status: 'away', ...lunch })
    await ada.browser.call('setPresenceStatus', { status: 'appear_offline', ...lunch })
    await lose(grace)
    expect(await viewOf(observer, ada)).toEqual(['offline', undefined, undefined])
    expect(await viewOf(observer, grace)).toEqual(await viewOf(observer, ada))
    expect(await viewOf(ada, ada)).toEqual(['offline', lunch.note, lunch.until])
    expect(await eventsOf(ada)).toEqual(await eventsOf(grace))
    // an invisible member's note reaches no colleague
    const before = await eventsOf(ada)
    await ada.browser.call('setPresenceStatus', { status: 'appear_offline', note: 'Hidden' })
    expect(await viewOf(observer, ada)).toEqual(['offline', undefined, undefined])
    expect(await eventsOf(ada)).toEqual(before)
    await ada.browser.call('setPresenceStatus', { status: 'online' })
    expect(await viewOf(observer, ada)).toEqual(['online', 'Hidden', undefined])
  })

  it('takes an end in the next seven days, and none a minute later', async () => {
    const ada = await newColleague(office)
    const choose = (seconds: number) => {
      const until = new Date(office.clock.now().getTime() + seconds * 1_000).toISOString()
      return ada.browser.request('setPresenceStatus', { status: 'busy', until })
    }
    expect((await choose(7 * 24 * HOUR)).status).toBe(200)
    expect((await choose(7 * 24 * HOUR + 50)).status).toBe(400)
  })

  it.each([
    ['a note that is too long', { note: 'x'.repeat(101) }, 'note'],
    ['control characters', { note: 'a\u0007b' }, 'note'],
    ['marks that turn the direction', { note: 'a\u202eb' }, 'note'],
    ['a note that cannot be seen', { note: '\u200b' }, 'note'],
    ['a note of another type', { note: null }, 'note'],
    ['an end that is past', { until: new Date(Date.now() - 60_000).toISOString() }, 'until'],
    [
      'an end too far ahead',
      { until: new Date(Date.now() + 7.1 * 24 * HOUR * 1_000).toISOString() },
      'until',
    ],
    ['an end that is no time', { until: 'tomorrow' }, 'until'],
  ])('refuses %s, and changes nothing', async (_, more, field) => {
    const ada = await newColleague(office)
    const answer = await ada.browser.request('setPresenceStatus', { status: 'busy', ...more } as never)
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid-input', details: [{ field }] } })
    expect(await viewOf(ada, ada)).toEqual(['offline', undefined, undefined])
  })

  it('counts a note after normalization', async () => {
    const ada = await newColleague(office)
    await ada.browser.call('setPresenceStatus', { status: 'busy', note: 'e\u0301'.repeat(100) })
    expect((await viewOf(ada, ada))[1]).toBe('é'.repeat(100))
  })

  it('are not seen in another organization', async () => {
    const ada = await newColleague(office)
    const { id } = await ada.browser.call('createOrganization', { name: 'Second' })
    await ada.browser.call('setPresenceStatus', { status: 'busy', note: 'First' })
    await ada.browser.call('switchOrganization', { email: ada.email, organizationId: id })
    expect(await viewOf(ada, ada)).toEqual(['offline', undefined, undefined])
    expect((await outbox.events(`org:${id}`)).filter(({ type }) => type === 'profile.updated')).toEqual([])
  })

  it('stay together where several choose at once', async () => {
    const ada = await newColleague(office)
    const grace = await joinedBy(office, ada)
    await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        ada.browser.call('setPresenceStatus', {
          status: at % 2 === 0 ? 'busy' : 'away',
          note: at % 2 === 0 ? 'busy' : 'away',
        }),
      ),
    )
    const [status, note] = await viewOf(grace, ada)
    expect(note).toBe(status)
    const { statuses, notes } = await eventsOf(ada)
    expect([statuses.at(-1), notes.at(-1)]).toEqual([status, [note, null]])
    expect(notes.map(([said]) => said)).toEqual(statuses)
  })
})

describe('the end of a status', () => {
  it('comes with its time, also where no node ran then, and is not shown after it', async () => {
    const office = await openTestOffice()
    try {
      const outbox = await recordOutbox(office.database)
      const ada = await newColleague(office)
      const grace = await joinedBy(office, ada)
      const hidden = await joinedBy(office, ada)
      const later = await joinedBy(office, ada)
      const inSeconds = (seconds: number) =>
        new Date(office.clock.now().getTime() + seconds * 1_000).toISOString()
      await ada.browser.call('setPresenceStatus', { status: 'busy', note: 'Focus', until: inSeconds(HOUR) })
      await hidden.browser.call('setPresenceStatus', { status: 'appear_offline', until: inSeconds(HOUR) })
      await later.browser.call('setPresenceStatus', { status: 'away', until: inSeconds(3 * HOUR) })
      const shown = async () => {
        const { data } = await grace.browser.call('listMembers')
        const of = (one: Colleague) => {
          const { presenceStatus, note, until: end } = data.find(({ id }) => id === one.user.id) ?? {}
          return [presenceStatus, note, end !== undefined]
        }
        return [of(ada), of(hidden), of(later)]
      }
      const run = async (of: TestOffice, name: string) =>
        await of.office.presence.jobs?.find((job) => job.name === name)?.run(new AbortController().signal)
      // the broker of the next node is another one then: no connection there proves anything
      await run(office, 'presence-poll')
      // the moment passes as it does while no node runs
      await office.office.jobs.stop()
      office.clock.advance(2 * HOUR)
      expect((await shown())[0]).toEqual(['busy', undefined, false])
      const next = await openTestOffice({ beside: office })
      try {
        await next.office.jobs.stop()
        await run(next, 'end-choices')
        expect(await shown()).toEqual([
          ['online', undefined, false],
          ['offline', undefined, false],
          ['away', undefined, true],
        ])
        expect((await ada.browser.call('getCurrentUser')).manualStatus).toBeNull()
      } finally {
        await next.close()
      }
      const statuses = async ({ organization, user }: Colleague) =>
        (await outbox.events(`status:${organization.identityId}:${user.identityId}`)).map(
          ({ data }) => (data as { status: string }).status,
        )
      expect(await statuses(ada)).toEqual(['busy', 'online'])
      expect(await statuses(hidden)).toEqual([])
    } finally {
      await office.close()
    }
  })
})
