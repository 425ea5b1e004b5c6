import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newPerson, signedUp, signInAgain } from '../../../tests/people.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0'

describe('the sessions of somebody', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  it('are listed with device and network, the one in use marked, the one used last first', async () => {
    const person = await signedUp(office)
    const { browser } = await signInAgain(office, person.email)
    const { sessions } = await browser.call('listSessions')
    expect(sessions).toHaveLength(2)
    expect(sessions.map(({ current }) => current)).toEqual([true, false])
    expect(sessions[0]).toEqual({
      id: expect.stringMatching(/^\d+$/),
      current: true,
      createdAt: expect.stringMatching(/Z$/),
      lastUsedAt: expect.stringMatching(/Z$/),
      network: '127.0.0.1',
      device: 'Node.js',
    })
  })

  it('name the browser of a person, and none of its text', async () => {
    const firefox = office.browser((url, init) => {
      const headers = new Headers(init?.headers)
      headers.set('user-agent', FIREFOX)
      return fetch(url, { ...init, headers })
    })
    await firefox.call('devSignIn')
    const { sessions } = await firefox.call('listSessions')
    expect(sessions.find(({ current }) => current)?.device).toBe('Firefox on Linux')
  })

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

  it('end with the one in use as by signing out', async () => {
    const person = await newPerson(office)
    const { sessions } = await person.browser.call('listSessions')
    expect(await person.browser.request('endSessions', { id: sessions[0]?.id as string })).toMatchObject({
      status: 204,
    })
    expect(await person.browser.request('getCurrentUser')).toMatchObject({ status: 401 })
  })

  it('are nobody else’s: a foreign id, and what is none, is not found; both or neither is refused', async () => {
    const [ada, ben] = [await newPerson(office), await newPerson(office)]
    const { sessions } = await ben.browser.call('listSessions')
    for (const id of [sessions[0]?.id as string, '0', 'x', '99999999999999999999'])
      expect(await ada.browser.request('endSessions', { id })).toMatchObject({ status: 404 })
    expect(await ben.browser.request('getCurrentUser')).toMatchObject({ status: 200 })
    for (const body of [{}, { id: '1', others: true }, { others: false }])
      expect(await ada.browser.request('endSessions', body as never)).toMatchObject({ status: 400 })
  })
})
