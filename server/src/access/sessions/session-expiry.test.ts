import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newPerson, signInAgain } from '../../../tests/people.ts'
import { until } from '../../../tests/until.ts'
import { openWorkosOffice } from '../../../tests/vendors/workos-office.ts'

const DAY = 24 * 60 * 60
/** Of two hundred requests at once: a busy machine takes minutes for them. */
const MOMENT = 10 * 60
const AT_ONCE = 200

/** What a page that opens two hundred requests at once gets, each as the office answered it. */
async function manyAtOnce(nodes: readonly TestOffice[], cookie: string) {
  const ask = async (_: unknown, number: number) => {
    const node = nodes[number % nodes.length] as TestOffice
    const response = await fetch(`${node.baseUrl}/user/get`, { method: 'POST', headers: { cookie } })
    const { requestId, ...body } = (await response.json()) as Record<string, unknown>
    return { status: response.status, cookies: response.headers.getSetCookie(), body }
  }
  return await Promise.all(Array.from({ length: AT_ONCE }, ask))
}

function statusesOf(answers: readonly { status: number }[]): number[] {
  return [...new Set(answers.map(({ status }) => status))]
}

describe('a session that 200 requests at once come with', () => {
  let first: TestOffice
  let second: TestOffice
  beforeAll(async () => {
    first = await openTestOffice()
    second = await openTestOffice({ beside: first })
  })
  afterAll(async () => {
    await second.close()
    await first.close()
  })
  /** Holds every reader of sessions back until several wait: none of them sees what another one writes. */
  async function readingAtOnce<Result>(run: () => Promise<Result>): Promise<Result> {
    const { pool } = first.database
    const client = await pool.connect()
    await client.query('begin; lock table sessions in access exclusive mode')
    const result = run()
    await until(async () => {
      const { rows } = await client.query(`select count(*)::int as waiting from pg_locks
         where not granted and database = (select oid from pg_database where datname = current_database())`)
      return rows[0].waiting >= 4
    })
    await client.query('commit')
    client.release()
    return await result
  }
  const settled = () => Promise.all([first, second].map(({ office }) => office.callers.settle()))

  it('is prolonged for all of them a moment before it would have ended, once, on two nodes', async () => {
    const { pool } = first.database
    const person = await newPerson(first)
    await pool.query(`
      create table prolonged (session_id bigint);
      create function note_prolonged() returns trigger language plpgsql as
        $$ begin insert into prolonged values (new.id); return null; end $$;
      create trigger noted after update of idle_expires_at on sessions
        for each row execute function note_prolonged()`)
    first.clock.advance(7 * DAY - MOMENT)
    const answers = await readingAtOnce(() => manyAtOnce([first, second], `atrium_session=${person.cookie}`))
    expect(statusesOf(answers)).toEqual([200])
    expect(answers.flatMap(({ cookies }) => cookies)).toEqual([])
    await settled()
    expect((await pool.query('select * from prolonged')).rows).toHaveLength(1)
    await pool.query('drop trigger noted on sessions; drop function note_prolonged; drop table prolonged')

    first.clock.advance(7 * DAY - MOMENT)
    expect(statusesOf(await manyAtOnce([first, second], `atrium_session=${person.cookie}`))).toEqual([200])
    await settled()
  })

  it('has ended for all of them alike thirty days after it began, and nothing else has', async () => {
    const person = await newFounder(first)
    const other = await newPerson(first)
    for (let day = 0; day < 29; day++) {
      first.clock.advance(DAY)
      await Promise.all([person, other].map(({ browser }) => browser.call('getCurrentUser')))
      await settled()
    }
    const { browser } = await signInAgain(first, person.email)
    const cookie = `atrium_session=${person.cookie}`
    first.clock.advance(DAY - MOMENT)
    expect(statusesOf(await manyAtOnce([first, second], cookie))).toEqual([200])
    await settled()

    first.clock.advance(MOMENT)
    const answers = await manyAtOnce([first, second], cookie)
    const [one] = answers
    expect(one).toMatchObject({ status: 401, body: { code: 401 } })
    for (const answer of answers) expect(answer).toEqual(one)
    expect((await browser.call('getCurrentUser')).currentOrganizationId).toBe(person.organizationId)
    expect(await first.browser().request('getCurrentUser')).toMatchObject({ status: 401 })
    expect((await signInAgain(first, other.email)).user.id).toBe(other.id)
  })

  it('asks WorkOS nothing: what it signed in once is ours to prolong, even while it is away', async () => {
    const { stub, office, signedUp } = await openWorkosOffice()
    const email = (await signedUp()).email
    const browser = office.browser()
    await browser.call('signIn', { email })
    await office.office.identityWork.settle()
    const answer = await browser.request('finalizeMagicAuth', { email, code: stub.codeFor(email) })
    const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';')
    const calls = stub.calls
    stub.fault = 'hang'
    office.clock.advance(7 * DAY - MOMENT)
    expect(statusesOf(await manyAtOnce([office], cookie))).toEqual([200])
    await office.office.callers.settle()
    office.clock.advance(7 * DAY - MOMENT)
    expect(statusesOf(await manyAtOnce([office], cookie))).toEqual([200])
    expect(stub.calls).toBe(calls)
    await office.close()
    await stub.close()
  })
})
