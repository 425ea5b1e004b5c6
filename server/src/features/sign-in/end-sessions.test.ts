import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hold, untilBlocked } from '../../../tests/held-locks.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newPerson, signInAgain } from '../../../tests/people.ts'

describe('endSessions: the sessions of a person', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  /** A founder of two organizations, at work in the first in two browsers. */
  async function withOtherBrowser() {
    const person = await newFounder(office)
    const { id: organizationId } = await person.browser.call('createOrganization', { name: 'Second' })
    const other = await signInAgain(office, person.email)
    await other.browser.call('selectOrganization', {
      pendingAuthenticationToken: (other.user as { pendingAuthenticationToken: string })
        .pendingAuthenticationToken,
      organizationId: person.organizationId,
    })
    return { person, other, organizationId }
  }

  it('says what is to be given where others is false, which ends nothing', async () => {
    const { browser } = await newPerson(office)
    expect(await browser.request('endSessions', { others: false } as never)).toMatchObject({
      status: 400,
      body: { details: [{ field: 'others', message: expect.stringContaining('others: true') }] },
    })
  })

  /** What a session that moves into the organization waits for. */
  const holdRetention = (organizationId: string) =>
    hold(
      office,
      `select pg_advisory_xact_lock(hashtextextended('organization_retention', id)) from organizations
        where identity_organization_id = $1`,
      [organizationId],
    )

  it('end one by one: the other browser is out at once, this one stays', async () => {
    const person = await newPerson(office)
    const other = await signInAgain(office, person.email)
    const { sessions } = await person.browser.call('listSessions')
    const id = sessions.find(({ current }) => !current)?.id as string
    expect(await person.browser.request('endSessions', { id })).toMatchObject({ status: 204 })
    expect(await other.browser.request('getCurrentUser')).toMatchObject({ status: 401 })
    expect((await person.browser.call('listSessions')).sessions).toHaveLength(1)
    expect(await person.browser.request('endSessions', { id })).toMatchObject({
      status: 404,
      body: { error: 'session-not-found' },
    })
  })

  it('end all but this one', async () => {
    const person = await newPerson(office)
    const others = [await signInAgain(office, person.email), await signInAgain(office, person.email)]
    expect(await person.browser.request('endSessions', { others: true })).toMatchObject({ status: 204 })
    for (const { browser } of others)
      expect(await browser.request('getCurrentUser')).toMatchObject({ status: 401 })
    expect(await person.browser.request('getCurrentUser')).toMatchObject({ status: 200 })
  })

  it('end by the id that was listed, though the browser has moved to another organization since', async () => {
    const { person, other, organizationId } = await withOtherBrowser()
    const { sessions } = await person.browser.call('listSessions')
    const id = sessions.find(({ current }) => !current)?.id as string
    await other.browser.call('switchOrganization', { email: person.email, organizationId })
    expect(await person.browser.request('endSessions', { id })).toMatchObject({ status: 204 })
    expect(await other.browser.request('getCurrentUser')).toMatchObject({ status: 401 })
    expect((await person.browser.call('listSessions')).sessions).toHaveLength(1)
    expect(await person.browser.request('endSessions', { id })).toMatchObject({ status: 404 })
  })

  it('end by their id at the moment at which the browser moves', async () => {
    const { person, other, organizationId } = await withOtherBrowser()
    const { sessions } = await person.browser.call('listSessions')
    const id = sessions.find(({ current }) => !current)?.id as string
    const deciding = await holdRetention(organizationId)
    const moved = other.browser.request('switchOrganization', { email: person.email, organizationId })
    await untilBlocked(office, 1)
    const ended = person.browser.request('endSessions', { id })
    await untilBlocked(office, 2)
    await deciding.letGo()
    expect(await ended).toMatchObject({ status: 204 })
    await moved
    expect(await other.browser.request('getCurrentUser')).toMatchObject({ status: 401 })
  })

  it('end all but this one, one that moves to another organization meanwhile too', async () => {
    const { person, other, organizationId } = await withOtherBrowser()
    const deciding = await holdRetention(organizationId)
    const moved = other.browser.request('switchOrganization', { email: person.email, organizationId })
    await untilBlocked(office, 1)
    const ended = person.browser.request('endSessions', { others: true })
    await untilBlocked(office, 2)
    await deciding.letGo()
    expect(await ended).toMatchObject({ status: 204 })
    await moved
    expect(await other.browser.request('getCurrentUser')).toMatchObject({ status: 401 })
    expect((await person.browser.call('listSessions')).sessions).toHaveLength(1)
  })

  it('end all but this one, and sign-ins that wait for the choice of an organization', async () => {
    const { person } = await withOtherBrowser()
    const { browser, user } = await signInAgain(office, person.email)
    const { pendingAuthenticationToken } = user as { pendingAuthenticationToken: string }
    await person.browser.call('endSessions', { others: true })
    const choice = { pendingAuthenticationToken, organizationId: person.organizationId }
    expect(await browser.request('selectOrganization', choice)).toMatchObject({ status: 400 })
  })

  it('end with the one in use as by signing out', async () => {
    const person = await newPerson(office)
    const { sessions } = await person.browser.call('listSessions')
    expect(await person.browser.request('endSessions', { id: sessions[0]?.id as string })).toMatchObject({
      status: 204,
    })
    expect(await person.browser.request('getCurrentUser')).toMatchObject({ status: 401 })
  })

  it('end with the one in use by an id of before, and the cookie goes too', async () => {
    const { person, organizationId } = await withOtherBrowser()
    const { sessions } = await person.browser.call('listSessions')
    const id = sessions.find(({ current }) => current)?.id as string
    await person.browser.call('switchOrganization', { email: person.email, organizationId })
    const ended = await person.browser.request('endSessions', { id })
    expect(ended.status).toBe(204)
    expect(ended.headers.get('set-cookie')).toMatch(/^atrium_session=;.*Max-Age=0/)
  })

  it('are one’s own: a foreign id, and what is none, is not found; both or neither is refused', async () => {
    const [ada, ben] = [await newPerson(office), await newPerson(office)]
    const { sessions } = await ben.browser.call('listSessions')
    for (const id of [sessions[0]?.id as string, '0', 'x', '99999999999999999999'])
      expect(await ada.browser.request('endSessions', { id })).toMatchObject({ status: 404 })
    expect(await ben.browser.request('getCurrentUser')).toMatchObject({ status: 200 })
    for (const body of [{}, { id: '1', others: true }, { others: false }])
      expect(await ada.browser.request('endSessions', body as never)).toMatchObject({ status: 400 })
  })
})
