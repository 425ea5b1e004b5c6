import { afterEach, expect, it } from 'vitest'
import { freshEmail, openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newPerson } from '../../../tests/people.ts'
import { recordedLog } from '../../../tests/recorded-log.ts'
import { busy } from '../../../tests/run/timed.ts'
import { CALL_MS } from '../../access/budgets/budgets.ts'
import { handlers } from '../handlers.ts'

const recorded = recordedLog()
const MESSAGE = 'a request held the event loop'
const offices: TestOffice[] = []
const restored: (() => void)[] = []
afterEach(async () => {
  for (const restore of restored.splice(0)) restore()
  recorded.lines.length = 0
  for (const office of offices.splice(0)) await office.close()
})

async function open(settings: Record<string, string>): Promise<TestOffice> {
  const office = await openTestOffice({ settings, log: recorded.log })
  offices.push(office)
  return office
}

/** From here on the handler of an operation holds the event loop for so long before it does its work. */
function slowDown(id: keyof typeof handlers, ms: number): void {
  const known = handlers as Record<string, (...given: unknown[]) => Promise<unknown>>
  const quick = known[id]
  restored.push(() => Object.assign(known, { [id]: quick }))
  known[id] = (...given) => {
    busy(ms)
    return quick?.(...given) ?? Promise.reject(new Error(`there is no handler ${id}`))
  }
}

const held = (operation: string) =>
  recorded.lines.filter((line) => line.msg === MESSAGE && line.operation === operation)

it('charges a person for the time that their calls hold the event loop, and no one else', async () => {
  slowDown('getCurrentUser', 2 * CALL_MS + 10)
  const office = await open({ RATE_LIMIT_PER_USER: '6' })
  const [ada, bob] = [await newPerson(office), await newPerson(office)]
  const calls = []
  for (let n = 0; n < 3; n += 1) calls.push((await ada.browser.request('getCurrentUser')).status)
  expect(calls).toEqual([200, 200, 429])
  expect((await bob.browser.request('getCurrentUser')).status).toBe(200)
})

it('charges a network where the operation counts it, for who has no session', async () => {
  slowDown('signIn', 2 * CALL_MS + 10)
  const office = await open({ RATE_LIMIT_SIGN_IN_PER_ADDRESS: '6' })
  const charged = async () => {
    const sum = "select sum(points)::int as points from rate_limits where key like 'sign-in-per-address:%'"
    return (await office.database.pool.query<{ points: number }>(sum)).rows[0]?.points
  }
  const call = async (after: number) => {
    // the time is charged beside the answer
    if (after > 0) await expect.poll(charged).toBeGreaterThanOrEqual(after)
    return (await office.browser().request('signIn', { email: freshEmail() })).status
  }
  expect([await call(0), await call(3), await call(6)]).toEqual([200, 200, 429])
})

it('takes one call of a person for a call that is soon done', async () => {
  const office = await open({ RATE_LIMIT_PER_USER: '6' })
  const { browser } = await newPerson(office)
  await browser.request('getCurrentUser')
  const { headers } = await browser.request('getCurrentUser')
  expect(headers.get('ratelimit-remaining')).toBe('4')
})

it('tells of a held event loop in the log and in the metrics, with size and time and nothing of the content', async () => {
  slowDown('createRoom', CALL_MS + 10)
  const office = await open({})
  const { id, browser } = await newFounder(office)
  const input = { name: 'A name that nobody may read' }
  await browser.call('createRoom', input)
  await browser.call('listRooms')
  expect(held('createRoom')).toEqual([
    {
      level: 40,
      msg: MESSAGE,
      requestId: expect.any(String),
      operation: 'createRoom',
      bytes: JSON.stringify(input).length,
      ms: expect.any(Number),
      organization: expect.any(String),
      person: id,
    },
  ])
  expect(recorded.text()).not.toContain(input.name)
  const { plain } = await office.office.metrics.nodePage.current()
  expect(Buffer.from(plain).toString()).toMatch(
    /http_loop_held_seconds_count\{[^}]*operation="createRoom"[^}]*\} 1/,
  )
})
