import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AtriumError, AtriumUnreachable } from '../errors.ts'
import { createOfficeTime } from '../office-time.ts'
import { forgetUnsent, unsentOf } from '../outbox.ts'
import { KEPT_MS, type OutboxOwner, type OutboxStore } from './entry.ts'
import { createMemoryStore } from './memory-store.ts'
import { NotTheirSession } from './not-their-session.ts'
import { createOutbox, type Outbox, type OutboxOptions, type OutboxSender } from './outbox.ts'

const ADA: OutboxOwner = { person: '1', organization: '7' }
const BEN: OutboxOwner = { person: '2', organization: '7' }
const refusal = (status: number, retryAfterSeconds?: number) =>
  new AtriumError('messages', {
    ...{ status, code: status, message: `refused ${status}` },
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  })
const unreachable = () => new AtriumUnreachable('messages', 'no answer')

const opened: Outbox[] = []

function outboxOf(send: OutboxSender['send'], more: Partial<OutboxOptions> = {}): Outbox {
  const outbox = createOutbox({
    store: createMemoryStore(),
    owner: async () => ADA,
    senders: { message: { send } },
    time: createOfficeTime(),
    random: () => 1,
    ...more,
  })
  opened.push(outbox)
  return outbox
}

const write = (outbox: Outbox, text: string, lane = 'a') =>
  outbox.put({ kind: 'message', lane, id: text, body: text })
const states = (outbox: Outbox) => outbox.get().items.map(({ id, state }) => [id, state])

/** An office that takes each message once, and does as the plan says before it answers. */
function takingOffice(plan: (() => void)[] = []) {
  const taken: unknown[] = []
  const tries: unknown[] = []
  const send: OutboxSender['send'] = async ({ id, body }) => {
    tries.push(body)
    if (!taken.includes(id)) taken.push(id)
    plan.shift()?.()
    return { answered: id }
  }
  return { taken, tries, send }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  for (const outbox of opened.splice(0)) outbox.close()
  vi.useRealTimers()
})
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)

describe('what is put into an outbox', () => {
  it('leaves in order, one at a time for each lane, also where the first is not taken for a while', async () => {
    const tried: string[] = []
    let failures = 3
    const outbox = outboxOf(async ({ id }) => {
      tried.push(id)
      if (id === '1' && failures-- > 0) throw unreachable()
      return {}
    })
    for (let text = 1; text <= 7; text += 1) void write(outbox, String(text))
    void write(outbox, 'elsewhere', 'b')
    await pass(0)
    expect(tried).toEqual(['1', 'elsewhere'])
    expect(states(outbox).map(([, state]) => state)).toEqual(Array(7).fill('waiting'))
    // nothing but the timer: the connection stands all the while
    await pass(1_000 + 2_000 + 4_000)
    expect(tried.filter((text) => text !== 'elsewhere')).toEqual([
      '1',
      '1',
      '1',
      '1',
      '2',
      '3',
      '4',
      '5',
      '6',
      '7',
    ])
    expect(outbox.get().items).toEqual([])
  })

  it('is taken once, whatever becomes of the answers', async () => {
    const fail = () => {
      throw unreachable()
    }
    const office = takingOffice([fail, fail, () => {}, fail])
    const outbox = outboxOf(office.send)
    void write(outbox, 'one')
    void write(outbox, 'two')
    await pass(20_000)
    expect(office.tries).toEqual(['one', 'one', 'one', 'two', 'two'])
    expect(office.taken).toEqual(['one', 'two'])
    expect(outbox.get().items).toEqual([])
  })

  it.each([429, 503])('waits as long as the office says: %i', async (status) => {
    let tries = 0
    const outbox = outboxOf(async () => {
      tries += 1
      if (tries === 1) throw refusal(status, 40)
    })
    void write(outbox, 'one')
    await pass(39_000)
    outbox.wake()
    await pass(0)
    expect([tries, ...states(outbox)]).toEqual([1, ['one', 'waiting']])
    await pass(15_000)
    expect(tries).toBe(2)
    expect(outbox.get().items).toEqual([])
  })

  it.each([408, 425, 429, 500, 502, 503])('is tried again after %i', async (status) => {
    let tries = 0
    const outbox = outboxOf(async () => {
      tries += 1
      if (tries < 3) throw refusal(status)
    })
    void write(outbox, 'one')
    await pass(3_000)
    expect(tries).toBe(3)
  })

  it.each([400, 403, 404, 409, 410, 413, 422])(
    'is refused for good by %i, and holds nothing up',
    async (status) => {
      const tried: string[] = []
      const outbox = outboxOf(async ({ id }) => {
        tried.push(id)
        if (id === 'one' && tried.length === 1) throw refusal(status)
      })
      await write(outbox, 'one')
      await write(outbox, 'two')
      await pass(600_000)
      expect(tried).toEqual(['one', 'two'])
      expect(outbox.get().items).toMatchObject([{ id: 'one', state: 'refused', error: { status } }])
      void outbox.again('one')
      await pass(0)
      expect(tried).toEqual(['one', 'two', 'one'])
      expect(outbox.get().items).toEqual([])
    },
  )

  it.each([
    ['401', () => refusal(401)],
    ['the session of another person', () => new NotTheirSession()],
  ])('pauses after %s, until the session is another one', async (_, failure) => {
    let [tries, isTheirs] = [0, false]
    const outbox = outboxOf(async () => {
      tries += 1
      if (!isTheirs) throw failure()
    })
    void write(outbox, 'one')
    void write(outbox, 'two', 'b')
    await pass(600_000)
    // both lanes were on their way
    expect(tries).toBeLessThanOrEqual(2)
    expect(states(outbox).map(([, state]) => state)).toEqual(['waiting', 'waiting'])
    isTheirs = true
    outbox.wake()
    await pass(0)
    expect(outbox.get().items).toEqual([])
  })

  it('is deleted when asked, and what replaces others is sent alone', async () => {
    const sent: unknown[] = []
    let isThere = false
    const outbox = outboxOf(async ({ body }) => {
      if (!isThere) throw unreachable()
      sent.push(body)
    })
    void write(outbox, 'one')
    for (const body of [1, 2, 3])
      void outbox.put({ kind: 'message', lane: 'read', body, replaces: true, quiet: true })
    await pass(0)
    await outbox.drop('one')
    isThere = true
    await pass(10_000)
    expect(sent).toEqual([3])
  })

  it('is kept until the office says whose it is, and is unsaved until then', async () => {
    let failures = 2
    const office = takingOffice()
    const outbox = outboxOf(office.send, {
      owner: async () => {
        if (failures-- > 0) throw unreachable()
        return ADA
      },
    })
    void write(outbox, 'one')
    await pass(0)
    expect(outbox.get()).toMatchObject({ unsaved: 1, items: [{ id: 'one' }] })
    await pass(3_000)
    expect(office.taken).toEqual(['one'])
  })
})

describe('what was not sent', () => {
  const durable = (): OutboxStore => ({ ...createMemoryStore(), isDurable: () => true })
  const away: OutboxSender['send'] = async () => {
    throw unreachable()
  }

  it('is sent after a reload, in order, before what is written then', async () => {
    const store = durable()
    const before = outboxOf(away, { store })
    for (const text of ['1', '2']) void write(before, text)
    await pass(0)
    expect(before.get().unsaved).toBe(0)
    before.close()
    const office = takingOffice()
    const after = outboxOf(office.send, { store })
    void write(after, '3')
    await pass(0)
    expect(office.tries).toEqual(['1', '2', '3'])
    expect(await store.listOf('1')).toEqual([])
  })

  it('is nobody else’s in the same browser, and its own person’s afterwards', async () => {
    const store = durable()
    const first = outboxOf(away, { store })
    void write(first, 'of Ada')
    await pass(0)
    // the session ended elsewhere
    first.close()
    const bens = takingOffice()
    const second = outboxOf(bens.send, { store, owner: async () => BEN })
    await write(second, 'of Ben')
    await pass(600_000)
    expect(bens.tries).toEqual(['of Ben'])
    expect(second.get().items).toEqual([])
    second.close()
    const elsewhere = takingOffice()
    outboxOf(elsewhere.send, { store, owner: async () => ({ ...ADA, organization: '8' }) })
    await pass(60_000)
    expect(elsewhere.tries).toEqual([])
    const adas = takingOffice()
    outboxOf(adas.send, { store })
    await pass(0)
    expect(adas.tries).toEqual(['of Ada'])
  })

  it('waits for its person seven days, and no longer', async () => {
    const store = durable()
    const first = outboxOf(away, { store })
    void write(first, 'old')
    await pass(0)
    first.close()
    vi.setSystemTime(Date.now() + KEPT_MS + 1)
    outboxOf(takingOffice().send, { store, owner: async () => BEN })
    await pass(0)
    expect(await store.listOf('1')).toEqual([])
  })

  it('is counted and deleted for who signs out by hand, in every organization', async () => {
    const store = durable()
    for (const owner of [ADA, { ...ADA, organization: '8' }, BEN]) {
      const outbox = outboxOf(away, { store, owner: async () => owner })
      void write(outbox, `of ${owner.person} in ${owner.organization}`)
      void outbox.put({ kind: 'read', lane: 'r', body: 1, quiet: true })
      await pass(0)
      outbox.close()
    }
    expect(await unsentOf('1', store)).toBe(2)
    await forgetUnsent('1', store)
    expect(await store.listOf('1')).toEqual([])
    expect(await unsentOf('2', store)).toBe(1)
  })

  it('is lost with the page where nothing is kept: all of it is unsaved', async () => {
    const outbox = outboxOf(away)
    void write(outbox, 'one')
    void outbox.put({ kind: 'message', lane: 'r', body: 1, quiet: true })
    await pass(0)
    expect(outbox.get().unsaved).toBe(1)
  })
})

describe('of several tabs', () => {
  beforeEach(() => void vi.useRealTimers())

  it('one sends, the others hear what was answered, and the next takes over', async () => {
    const store = { ...createMemoryStore(), isDurable: () => true }
    const [one, two] = [takingOffice(), takingOffice()]
    const answers: unknown[] = []
    const first = outboxOf(one.send, { store, tabs: true })
    await write(first, 'of the first tab')
    const second = outboxOf(two.send, {
      ...{ store, tabs: true },
      senders: { message: { send: two.send, onSent: (_, answer) => answers.push(answer) } },
    })
    await write(second, 'of the second tab')
    await expect.poll(() => one.tries).toEqual(['of the first tab', 'of the second tab'])
    await expect.poll(() => answers).toEqual([{ answered: 'of the second tab' }])
    expect(two.tries).toEqual([])
    first.close()
    await write(second, 'afterwards')
    await expect.poll(() => two.tries).toEqual(['afterwards'])
    expect(one.tries).toHaveLength(2)
    await expect.poll(() => second.get().items).toEqual([])
  })
})
