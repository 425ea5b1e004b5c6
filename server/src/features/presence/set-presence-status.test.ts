import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newPerson } from '../../../tests/people.ts'
import { type Colleague, joinedBy, newColleague } from '../../../tests/realtime/colleagues.ts'
import { type RecordedOutbox, recordOutbox } from '../../../tests/recorded-outbox.ts'

let office: TestOffice
let outbox: RecordedOutbox
beforeAll(async () => {
  office = await openTestOffice()
  outbox = await recordOutbox(office.database)
})
afterAll(() => office.close())

const CHOICES = ['online', 'away', 'busy', 'appear_offline'] as const

function statusEvents({ organization, user }: Colleague) {
  return outbox.events(`status:${organization.identityId}:${user.identityId}`)
}

async function visibleTo(observer: Colleague, { user }: Colleague) {
  const { statuses } = await observer.browser.call('getPresenceSnapshot', { userIds: [user.identityId] })
  return statuses[0]?.status
}

describe('setPresenceStatus', () => {
  it.each(CHOICES)('answers the true status, and shows it to the caller: %s', async (status) => {
    const ada = await newColleague(office)
    const record = { userId: ada.user.identityId, status }
    expect(await ada.browser.call('setPresenceStatus', { status })).toEqual(record)
    expect(await ada.browser.call('getPresenceSnapshot', { userIds: [ada.user.id] })).toEqual({
      statuses: [record],
    })
  })

  it('tells colleagues of visible changes only, and of each once', async () => {
    const ada = await newColleague(office)
    const grace = await joinedBy(office, ada)
    const seen: unknown[] = []
    for (const status of ['away', 'away', 'appear_offline', 'appear_offline', 'busy', 'online'] as const) {
      await ada.browser.call('setPresenceStatus', { status })
      seen.push(await visibleTo(grace, ada))
    }
    expect(seen).toEqual(['away', 'away', 'offline', 'offline', 'busy', 'online'])
    const events = await statusEvents(ada)
    expect(events.map(({ type, data }) => ({ type, data }))).toEqual(
      ['away', 'offline', 'busy', 'online'].map((status) => ({
        type: 'status.changed',
        data: { userId: ada.user.identityId, status },
      })),
    )
  })

  it('says nothing of who becomes invisible without having been visible', async () => {
    const ada = await newColleague(office)
    await ada.browser.call('setPresenceStatus', { status: 'appear_offline' })
    expect(await outbox.events(`status:${ada.organization.identityId}`)).toEqual([])
    expect(await outbox.events(`user:${ada.organization.identityId}`)).toEqual([])
  })

  it('gives the events of one person rising versions in one partition', async () => {
    const ada = await newColleague(office)
    for (let round = 0; round < 5; round++) {
      await ada.browser.call('setPresenceStatus', { status: 'busy' })
      await ada.browser.call('setPresenceStatus', { status: 'online' })
    }
    const events = await statusEvents(ada)
    expect(events).toHaveLength(10)
    const versions = events.map(({ version }) => version ?? 0)
    expect(versions).toEqual([...versions].sort((a, b) => a - b))
    expect(new Set(versions).size).toBe(10)
    expect(new Set(events.map(({ partition }) => partition)).size).toBe(1)
  })

  it('keeps table and events together under many changes at once', async () => {
    const ada = await newColleague(office)
    const grace = await joinedBy(office, ada)
    await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        ada.browser.call('setPresenceStatus', { status: CHOICES[at % 4] ?? 'online' }),
      ),
    )
    const events = await statusEvents(ada)
    const told = events.map(({ data }) => (data as { status: string }).status)
    expect(told.at(-1)).toBe(await visibleTo(grace, ada))
    const repeated = told.filter((status, at) => status === (told[at - 1] ?? 'offline'))
    expect(repeated).toEqual([])
  })

  it('is of the active organization only', async () => {
    const ada = await newColleague(office)
    await ada.browser.call('setPresenceStatus', { status: 'busy' })
    const { id } = await ada.browser.call('createOrganization', { name: 'Second' })
    const { rows } = await office.database.pool.query(
      `select o.identity_organization_id as organization, p.status from presence p
       join organizations o on o.id = p.organization_id where p.user_id = $1`,
      [ada.user.id],
    )
    expect(rows).toEqual([{ organization: ada.organization.identityId, status: 'busy' }])
    expect(id).not.toBe(ada.organization.identityId)
  })

  it('refuses offline, unknown words and no word', async () => {
    const ada = await newColleague(office)
    for (const body of [{ status: 'offline' }, { status: 'invisible' }, { status: null }, {}]) {
      const answer = await ada.browser.request('setPresenceStatus', body as never)
      expect(answer.status).toBe(400)
    }
    expect(await statusEvents(ada)).toEqual([])
  })

  it('needs an active organization', async () => {
    const nobody = await newPerson(office)
    const answer = await nobody.browser.request('setPresenceStatus', { status: 'busy' })
    expect(answer).toMatchObject({ status: 403, body: { code: 403, error: 'no-active-organization' } })
  })

  it('leaves neither status nor event where the event cannot be written', async () => {
    const own = await openTestOffice()
    try {
      const ada = await newColleague(own)
      await own.database.pool.query(`
        create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
        create trigger refusing before insert on centrifugo_outbox for each row execute function refuse();`)
      expect((await ada.browser.request('setPresenceStatus', { status: 'busy' })).status).toBe(500)
      const { rows } = await own.database.pool.query(`select status from presence where status <> 'offline'`)
      expect(rows).toEqual([])
    } finally {
      await own.close()
    }
  })
})
