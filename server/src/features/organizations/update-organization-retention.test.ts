import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hold, untilBlocked } from '../../../tests/held-locks.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { auditOf, linkTokenOf, newFounder, newMember, newPerson } from '../../../tests/people.ts'

const UNDECIDED = { chatDays: null, auditDays: null, recordingDays: null, sessionDays: null }

describe('updateOrganizationRetention', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice({
      settings: { CHAT_RETENTION_DAYS: '400', AUDIT_RETENTION_DAYS_MIN: '60', RECORDINGS_FILE_DAYS: '80' },
    })
  })
  afterAll(() => office.close())

  const deployment = {
    ...{ chatDays: 400, auditDays: null, auditDaysMin: 60, recordingDays: 80, sessionDays: 30 },
  }

  it('changes what is given, which everybody in the organization can read', async () => {
    const founder = await newFounder(office)
    const guest = await newMember(office, founder, 'guest')
    const read = () => guest.browser.call('getOrganizationRetention')
    expect(await read()).toEqual({ ...UNDECIDED, deployment })
    const update = (input: object) => founder.browser.call('updateOrganizationRetention', input)
    expect(await update({ chatDays: 400, auditDays: 60, recordingDays: 1 })).toEqual({
      ...{ ...UNDECIDED, chatDays: 400, auditDays: 60, recordingDays: 1 },
      deployment,
    })
    await update({ chatDays: null, sessionDays: 30 })
    const after = { chatDays: null, auditDays: 60, recordingDays: 1, sessionDays: 30 }
    expect(await read()).toEqual({ ...after, deployment })
  })

  it.each([0, 31, 40_000])(
    'says of %i days for sessions nothing that is refused next',
    async (sessionDays) => {
      const { browser } = await newFounder(office)
      const { body } = await browser.request('updateOrganizationRetention', { sessionDays } as never)
      expect(body).toMatchObject({ code: 400, details: [{ field: 'sessionDays' }] })
      expect(JSON.stringify(body)).not.toContain('36500')
    },
  )

  it('waits for those who join meanwhile, before it holds anything that they need', async () => {
    const founder = await newFounder(office)
    const newcomer = await newPerson(office)
    const inviteToken = await linkTokenOf(founder)
    const trail = await hold(
      office,
      `select 1 from audit_heads h join organizations o on o.id = h.organization_id
        where o.identity_organization_id = $1 for update of h`,
      [founder.organizationId],
    )
    const joined = newcomer.browser.request('joinOrganization', { inviteToken })
    await untilBlocked(office, 1)
    const decided = founder.browser.request('updateOrganizationRetention', { sessionDays: 2 })
    expect(await untilBlocked(office, 2)).toContainEqual(expect.stringContaining('pg_advisory_xact_lock'))
    await trail.letGo()
    expect(await Promise.all([joined, decided])).toMatchObject([{ status: 200 }, { status: 200 }])
    expect(await newcomer.browser.call('getCurrentUser')).toMatchObject({
      currentOrganizationId: founder.organizationId,
    })
  })

  it('is written down with what has changed, and not where nothing has', async () => {
    const founder = await newFounder(office)
    const update = (input: object) => founder.browser.call('updateOrganizationRetention', input)
    await update({ chatDays: 30, auditDays: 90 })
    await update({ chatDays: 30 })
    await update({ chatDays: null })
    await update({})
    const changes = (await auditOf(founder)).filter(
      ({ action }) => action === 'organization.retention-changed',
    )
    expect(changes.map(({ target, detail }) => ({ target, detail }))).toEqual(
      [{ chatDays: 30, auditDays: 90 }, { chatDays: null }].map((detail) => ({
        target: { kind: 'organization', id: founder.organizationId },
        detail,
      })),
    )
  })

  it.each([
    ['chatDays', 401, 'at most 400 days'],
    ['recordingDays', 81, 'at most 80 days'],
    ['sessionDays', 31, 'at most 30 days'],
    ['auditDays', 59, 'at least 60 days'],
    ['chatDays', 0, ''],
    ['chatDays', 1.5, ''],
    ['auditDays', 36_501, ''],
    ['chatDays', '30', ''],
  ])('refuses %s: %s', async (field, days, sentence) => {
    const { browser } = await newFounder(office)
    const answer = await browser.request('updateOrganizationRetention', { recordingDays: 5, [field]: days })
    expect(answer).toMatchObject({
      status: 400,
      body: { error: 'invalid-input', message: expect.stringContaining(sentence), details: [{ field }] },
    })
    expect(await browser.call('getOrganizationRetention')).toMatchObject(UNDECIDED)
  })

  it('is of one organization, and for its admins', async () => {
    const [founder, stranger] = [await newFounder(office), await newFounder(office)]
    await stranger.browser.call('updateOrganizationRetention', { chatDays: 7 })
    expect(await founder.browser.call('getOrganizationRetention')).toMatchObject(UNDECIDED)
    for (const role of ['guest', 'member', 'moderator'] as const) {
      const { browser } = await newMember(office, founder, role)
      expect(await browser.request('updateOrganizationRetention', { chatDays: 7 })).toMatchObject({
        status: 403,
        body: { error: 'role-not-allowed' },
      })
    }
  })

  it('keeps what two change at once', async () => {
    const { browser } = await newFounder(office)
    const inputs = [{ chatDays: 9 }, { auditDays: 99 }, { recordingDays: 19 }, { sessionDays: 29 }]
    await Promise.all(inputs.map((input) => browser.call('updateOrganizationRetention', input)))
    expect(await browser.call('getOrganizationRetention')).toMatchObject(Object.assign({}, ...inputs))
  })
})
