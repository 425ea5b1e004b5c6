import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { signedUp, signInAgain } from '../../../tests/people.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0'

describe('listSessions: the sessions of a person', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())
  let passed = 0
  afterEach(() => {
    office.clock.advance(-passed)
    passed = 0
  })
  const daysPass = (days: number) => {
    passed += days * 24 * 3_600
    office.clock.advance(days * 24 * 3_600)
  }

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

  it('are those that still work: not what was unused for a week, nor what ended after a month', async () => {
    const person = await signedUp(office)
    const { browser } = await signInAgain(office, person.email)
    const listed = async (by = browser) => {
      const { sessions } = await by.call('listSessions')
      // its use is noted beside the reply: before that, time must not leap
      await office.office.callers.settle()
      return sessions.length
    }
    expect(await listed()).toBe(2)
    daysPass(4)
    expect(await listed()).toBe(2)
    daysPass(4)
    // the first of them was used last eight days ago
    expect(await listed()).toBe(1)
    for (let days = 8; days < 26; days += 6) {
      daysPass(6)
      expect(await listed()).toBe(1)
    }
    const { browser: fresh } = await signInAgain(office, person.email)
    expect(await listed(fresh)).toBe(2)
    daysPass(5)
    // used a few days ago, and begun more than thirty
    expect(await listed(fresh)).toBe(1)
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
})
