import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../tests/fresh-database.ts'
import { recordedLog } from '../../../tests/recorded-log.ts'
import { makeWorker, startWorker } from '../background/work-queue.ts'
import { secondsAfter } from '../clock.ts'
import { refuseInsideTransaction, transaction } from '../database/transaction.ts'
import { trusted } from '../ids.ts'
import { ProviderFailure } from '../refusal.ts'
import { makeKeyRing, seal } from '../secrets/sealed-column.ts'
import { Secret } from '../secrets/secret.ts'
import { mailQueue, queueMail, queueMails } from './mail-queue.ts'

type MailPort = Parameters<typeof mailQueue>[0]['mail']
type MailMessage = Parameters<MailPort['send']>[0]

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())
beforeEach(() => database.pool.query('delete from work_items'))

const soon = { timeout: 240_000, interval: 20 }
const secret = new Secret('root secret of the tests')
const ring = makeKeyRing('mail-queue', secret)
const message = (to: string): MailMessage => ({
  to,
  subject: 'Your code',
  text: 'code 123456',
  html: '<p>123456</p>',
})
const later = new ProviderFailure('mail-server', 'mail.send', {
  retryable: true,
  cause: new Error('450 ada@example.com'),
})
const never = new ProviderFailure('mail-server', 'mail.send', {
  retryable: false,
  cause: new Error('550 ada@example.com'),
})

/** A queue with a clock of its own and a mail server that does what `behave` says. */
function makeQueue(behave: (message: MailMessage) => unknown = () => {}) {
  let now = new Date('2026-11-21T12:00:00Z')
  const sent: string[] = []
  const mail: MailPort = {
    send: async (mailed) => {
      refuseInsideTransaction('mail.send')
      await behave(mailed)
      sent.push(mailed.to)
    },
  }
  const { log, lines, text } = recordedLog()
  // no pause is cut short
  const needs = { db: database.db, clock: { now: () => now }, log, random: () => 0 }
  const open = (with_ = ring) => makeWorker(mailQueue({ ring: with_, mail }), needs)
  const worker = open()
  return {
    needs,
    mail,
    worker,
    sent,
    text,
    messages: () => lines.filter(({ level }) => Number(level) >= 40).map((line) => line.msg),
    /** Of a node with another key ring. */
    drainWith: (other: typeof ring) => open(other).drain(),
    wait: (seconds: number) => {
      now = secondsAfter(now, seconds)
    },
    queue: (to: string, seconds = 600) =>
      queueMail(database.db, ring, message(to), {
        mailClass: 'code',
        now,
        notAfter: secondsAfter(now, seconds),
      }),
    /** Invitations of one organization to `${organization}-0@…`, `${organization}-1@…` and so on. */
    invite: (organization: string, count: number) =>
      queueMails(
        database.db,
        ring,
        Array.from({ length: count }, (_, n) => message(`${organization}-${n}@example.com`)),
        {
          mailClass: 'invitation',
          organization: trusted.organizationId(organization),
          now,
          notAfter: secondsAfter(now, 604_800),
        },
      ),
    drain: () => worker.drain(),
  }
}

async function waiting(): Promise<number> {
  const { rows } = await database.pool.query(`select 1 from work_items where queue = 'mail'`)
  return rows.length
}

describe('the mail queue', () => {
  it('delivers what was queued, once', async () => {
    const received: MailMessage[] = []
    const { queue, drain, sent } = makeQueue((mailed) => received.push(mailed))
    for (let n = 0; n < 12; n++) await queue(`ada${n}@example.com`)
    await drain()
    await drain()
    expect(sent.toSorted()).toEqual(Array.from({ length: 12 }, (_, n) => `ada${n}@example.com`).sort())
    expect(received[0]).toEqual(message(received[0]?.to ?? ''))
    expect(await waiting()).toBe(0)
  })

  it('keeps nothing readable while a mail waits', async () => {
    const { queue } = makeQueue()
    await queue('ada@example.com')
    const { rows } = await database.pool.query('select payload, class from work_items')
    expect(rows[0]?.class).toBe('code')
    expect(Object.keys(rows[0]?.payload)).toEqual(['sealed'])
    expect(Buffer.from(rows[0]?.payload.sealed, 'base64').toString('latin1')).not.toMatch(/ada|code|123456/)
  })

  it('takes a mail back with the transaction that queued it', async () => {
    const { drain, sent, needs } = makeQueue()
    const now = needs.clock.now()
    const times = { mailClass: 'code', now, notAfter: secondsAfter(now, 600) } as const
    const failed = transaction(database.db, async (tx) => {
      await queueMail(tx, ring, message('ada@example.com'), times)
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    await transaction(database.db, (tx) => queueMail(tx, ring, message('bob@example.com'), times))
    await drain()
    expect(sent).toEqual(['bob@example.com'])
  })

  it('tries again, ever more rarely, until the mail server is back', async () => {
    let down = true
    let tries = 0
    const { queue, drain, wait, sent, text } = makeQueue(() => {
      tries += 1
      if (down) throw later
    })
    await queue('ada@example.com', 3_600)
    const pauses = [2, 4, 8, 16, 32, 60, 60]
    for (const [n, seconds] of pauses.entries()) {
      await drain()
      expect(tries).toBe(n + 1)
      wait(seconds - 1)
      await drain()
      expect(tries).toBe(n + 1)
      wait(1)
    }
    down = false
    await drain()
    expect(sent).toEqual(['ada@example.com'])
    expect(await waiting()).toBe(0)
    expect(text()).not.toMatch(/ada|123456/)
  })

  it('lets no failing mail hold up the others', async () => {
    const { queue, drain, sent } = makeQueue(({ to }) => {
      if (to.startsWith('bad')) throw later
    })
    for (let n = 0; n < 6; n++) await queue(`bad${n}@example.com`)
    await queue('ada@example.com')
    await drain()
    expect(sent).toEqual(['ada@example.com'])
    expect(await waiting()).toBe(6)
  })

  it('drops what is refused for good, without naming its recipient or content', async () => {
    const { queue, drain, sent, messages, text } = makeQueue(() => {
      throw never
    })
    await queue('ada@example.com')
    await drain()
    expect([sent, await waiting()]).toEqual([[], 0])
    expect(messages()).toEqual(['mail dropped: refused for good'])
    expect(text()).not.toMatch(/ada|123456|Your code/)
  })

  it('never sends an expired mail', async () => {
    const { queue, drain, wait, sent, messages } = makeQueue()
    await queue('ada@example.com', 60)
    wait(60)
    await drain()
    expect([sent, await waiting(), messages()]).toEqual([[], 0, ['work dropped: not done before it expired']])
  })

  it('sends a mail again where it crashed between sending and deleting', async () => {
    const { queue, drain, wait, sent } = makeQueue()
    await queue('ada@example.com')
    await database.pool.query(
      `create function refuse_delete() returns trigger language plpgsql as $$ begin raise 'crash'; end $$;
       create trigger crash before delete on work_items for each row execute function refuse_delete()`,
    )
    try {
      await expect(drain()).rejects.toThrow('crash')
    } finally {
      await database.pool.query('drop trigger crash on work_items; drop function refuse_delete')
    }
    await drain()
    expect(sent).toEqual(['ada@example.com'])
    wait(60)
    await drain()
    expect(sent).toEqual(['ada@example.com', 'ada@example.com'])
    expect(await waiting()).toBe(0)
  })

  it('sends up to three codes and two invitations at a time, with no transaction open', async () => {
    let running = 0
    let most = 0
    const full = Promise.withResolvers<void>()
    const { queue, invite, drain, sent } = makeQueue(async () => {
      most = Math.max(most, ++running)
      if (running === 5) full.resolve()
      await full.promise
      const { rows } = await database.pool.query(
        `select 1 from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
      )
      expect(rows).toEqual([])
      running -= 1
    })
    for (let n = 0; n < 9; n++) await queue(`ada${n}@example.com`)
    await invite('1', 6)
    await drain()
    expect(most).toBe(5)
    expect(sent).toHaveLength(15)
  })

  it('is drained by several nodes without sending twice', async () => {
    const nodes = [makeQueue(), makeQueue()]
    for (let n = 0; n < 40; n++) await nodes[0]?.queue(`ada${n}@example.com`)
    await Promise.all(nodes.map(({ drain }) => drain()))
    const sent = nodes.flatMap((node) => node.sent)
    expect(sent).toHaveLength(40)
    expect(new Set(sent).size).toBe(40)
  })

  it('sends what is queued while another mail is still on its way', async () => {
    const slow = Promise.withResolvers<void>()
    const { queue, drain, sent } = makeQueue(({ to }) =>
      to === 'slow@example.com' ? slow.promise : undefined,
    )
    await queue('slow@example.com')
    const first = drain()
    await queue('ada@example.com')
    const second = drain()
    await vi.waitFor(() => expect(sent).toEqual(['ada@example.com']), soon)
    slow.resolve()
    await Promise.all([first, second])
    expect(sent).toEqual(['ada@example.com', 'slow@example.com'])
  })

  it('keeps a mail with a missing key until the key is there', async () => {
    const { queue, wait, sent, drainWith, messages } = makeQueue()
    await queue('ada@example.com')
    const rotated = new Secret('another root secret of the tests')
    await drainWith(makeKeyRing('mail-queue', rotated))
    expect([sent, await waiting(), messages()]).toEqual([[], 1, ['work failed, to be tried again']])
    wait(2)
    await drainWith(makeKeyRing('mail-queue', rotated, [secret]))
    expect(sent).toEqual(['ada@example.com'])
  })

  it('cannot be made to send a mail under the times of another', async () => {
    const { queue, drain, wait, sent } = makeQueue()
    await queue('old@example.com', 60)
    wait(1)
    await queue('new@example.com', 600)
    await database.pool.query(
      'update work_items a set payload = b.payload from work_items b where a.id <> b.id',
    )
    await drain()
    expect([sent, await waiting()]).toEqual([[], 2])
  })
})

describe('the lanes of the mail queue', () => {
  /** A mail server that answers an invitation only when it is told to. */
  function heldInvitations() {
    const gate = Promise.withResolvers<void>()
    const begun: string[] = []
    const queue = makeQueue(({ to }) => {
      if (to.startsWith('ada')) return
      begun.push(to)
      return gate.promise
    })
    return { ...queue, begun, release: gate.resolve }
  }

  it('have a code always next: no invitation that is on its way or waits holds it up', async () => {
    const { invite, queue, drain, begun, sent, release } = heldInvitations()
    await invite('1', 40)
    const invitations = drain()
    try {
      await vi.waitFor(() => expect(begun).toHaveLength(2), soon)
      await queue('ada@example.com')
      const code = drain()
      await vi.waitFor(() => expect(sent).toEqual(['ada@example.com']), soon)
      release()
      await Promise.all([invitations, code])
    } finally {
      release()
    }
    expect(sent).toHaveLength(41)
  })

  it('are each looked at by themselves, also where no notification arrives', async () => {
    const { invite, queue, needs, mail, begun, sent, release } = heldInvitations()
    await invite('1', 10)
    const delivery = startWorker(mailQueue({ ring, mail }), {
      ...needs,
      notifications: { on: () => {} },
      everyMs: 20,
    })
    try {
      await vi.waitFor(() => expect(begun).toHaveLength(2), soon)
      await queue('ada@example.com')
      await vi.waitFor(() => expect(sent).toEqual(['ada@example.com']), soon)
    } finally {
      release()
      await delivery.stop()
    }
  })

  it('serve organizations in turn, however many mails one of them has', async () => {
    const { invite, drain, sent } = makeQueue()
    await invite('1', 50)
    await invite('2', 3)
    await invite('3', 3)
    await drain()
    expect(sent).toHaveLength(56)
    const last = Math.max(...['2-2', '3-2'].map((name) => sent.indexOf(`${name}@example.com`)))
    // three turns of three organizations, and what the second lane may have taken of the first one meanwhile
    expect(last).toBeLessThan(15)
  })

  it('go on with the other organizations where every mail of one fails', async () => {
    const { invite, drain, sent } = makeQueue(({ to }) => {
      if (to.startsWith('1-')) throw later
    })
    await invite('1', 20)
    await invite('2', 5)
    await drain()
    expect(sent).toHaveLength(5)
    expect(await waiting()).toBe(20)
  })
})

describe('a node of the release before', () => {
  it('queues mails that nodes of this one deliver', async () => {
    const { needs, drain, sent } = makeQueue()
    const now = needs.clock.now()
    const notAfter = secondsAfter(now, 600)
    const sealed = seal(ring, JSON.stringify(message('ada@example.com')), [
      'mail_queue.sealed_message',
      now.toISOString(),
      notAfter.toISOString(),
    ])
    await database.pool.query(
      `insert into mail_queue (sealed_message, mail_class, organization_id, created_at, not_after, next_attempt_at)
       values ($1, 'code', 0, $2, $3, $2)`,
      [sealed, now, notAfter],
    )
    await drain()
    expect(sent).toEqual(['ada@example.com'])
    expect((await database.pool.query('select 1 from mail_queue')).rows).toEqual([])
  })
})
