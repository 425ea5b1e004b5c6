import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import type { Benchmark, Sample } from './benchmark.ts'
import { signUp } from './first-person.ts'
import { applyLoad } from './load.ts'
import { prepareOffice } from './office.ts'
import { pinLoad, pinMeasured } from './pinning.ts'

const MEMBERS = 10_000
const CONNECTIONS = 10
const WARM_UP_SECONDS = 3
const QUERY = 'hopper'

export const membersList: Benchmark = {
  name: 'members-list',
  describe: `POST /members/list with a query over ${MEMBERS} members, as production serves it, against pgbench with the same SQL on the same server over as many connections`,
  unit: 'requests/s',
  goal: { ratioMin: 0.5 },
  async prepare({ seconds }) {
    const office = await prepareOffice()
    const closing: (() => Promise<unknown>)[] = [() => office.remove()]
    const close = async () => {
      for (let next = closing.pop(); next; next = closing.pop()) await next()
    }
    try {
      const development = await office.start('development')
      const person = await signUp(office.url).finally(() => development.stop())
      const production = await office.start('production')
      closing.push(() => production.stop())
      const databaseUrl = await office.databaseUrl()
      const organization = await fillOrganization(databaseUrl, person.organizationId)
      pinMeasured(production.pid)
      const unpin = pinLoad()
      closing.push(async () => unpin())
      const folder = await mkdtemp(join(tmpdir(), 'atrium-pgbench-'))
      closing.push(() => rm(folder, { recursive: true }))
      const script = join(folder, 'members.sql')
      await writeFile(script, SEARCH)

      const url = `${office.url.replace('localhost', '127.0.0.1')}/members/list`
      const headers = { cookie: person.cookie, 'content-type': 'application/json' }
      const body = JSON.stringify({ query: QUERY })
      await checkFound(url, headers, body)
      const subject = (duration = seconds) =>
        applyLoad({
          pid: production.pid,
          url,
          method: 'POST',
          headers,
          body,
          connections: CONNECTIONS,
          seconds: duration,
        })
      const baseline = (duration = seconds) => runPgbench(databaseUrl, script, organization, duration)
      for (const side of [subject, baseline]) await side(WARM_UP_SECONDS)
      return { subject: () => subject(), baseline: () => baseline(), close }
    } catch (error) {
      await close()
      throw error
    }
  },
}

/** People of many names; one in a hundred is found. @returns the internal id of the organization */
async function fillOrganization(databaseUrl: string, identityId: string): Promise<string> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    await client.query(
      `with people as (
        insert into users (identity_user_id, email, display_name, created_at, updated_at)
        select 'user_bench' || n, 'bench' || n || '@people.example',
          case when n % 100 = 0 then 'Grace Hopper ' else md5(n::text) || ' ' end || n, now(), now()
        from generate_series(1, $1::int) n returning id)
      insert into memberships (organization_id, user_id, role, status, created_at, updated_at)
      select o.id, people.id, 'member', 'active', now(), now()
      from people, organizations o where o.identity_organization_id = $2`,
      [MEMBERS - 1, identityId],
    )
    await client.query('vacuum analyze users')
    await client.query('vacuum analyze memberships')
    const { rows } = await client.query('select id from organizations where identity_organization_id = $1', [
      identityId,
    ])
    return rows[0].id
  } finally {
    await client.end()
  }
}

/** The statement of `searchMembers`, prepared and with parameters, as the office sends it. */
const SEARCH = `
  with found as (
    select u.id, u.identity_user_id as "identityId", u.display_name as "displayName", u.email,
      u.avatar_key as "avatarKey", m.role, lower(u.display_name) as "sortName"
    from memberships m join users u on u.id = m.user_id
    where m.organization_id = :organization and m.status = 'active'
      and (lower(u.display_name) || E'\\n' || u.email) like lower(:pattern)
  ), page as (select * from found order by "sortName", id limit :limit offset :offset)
  select page.*, p.status as presence, counted.total from (select count(*) as total from found) counted
  left join page on true left join presence p on p.organization_id = :organization and p.user_id = page.id
  order by page."sortName", page.id;`.replaceAll(/\s*\n\s*/g, ' ')

async function checkFound(url: string, headers: Record<string, string>, body: string): Promise<void> {
  const answer = await fetch(url, { method: 'POST', headers, body })
  const { data, page } = (await answer.json()) as { data: unknown[]; page: { total: number } }
  if (answer.status !== 200 || data.length !== 20 || page.total !== Math.floor((MEMBERS - 1) / 100)) {
    throw new Error(`${url} answered ${answer.status} with ${data?.length} of ${page?.total}`)
  }
}

async function runPgbench(
  databaseUrl: string,
  script: string,
  organization: string,
  seconds: number,
): Promise<Sample> {
  const parameters = { organization, pattern: `%${QUERY}%`, limit: '20', offset: '0' }
  const defined = Object.entries(parameters).flatMap(([name, value]) => ['-D', `${name}=${value}`])
  const options = ['-n', '-M', 'prepared', '-c', String(CONNECTIONS), '-j', '1', '-T', String(seconds)]
  const { stdout } = await promisify(execFile)('pgbench', [
    ...options,
    ...defined,
    '-f',
    script,
    databaseUrl,
  ]).catch((error: Error & { code?: string }) => {
    if (error.code !== 'ENOENT') throw error
    throw new Error('pgbench is not installed: it comes with the client programs of PostgreSQL')
  })
  const perSecond = /tps = ([\d.]+)/.exec(stdout)?.[1]
  if (!perSecond) throw new Error(`pgbench said: ${stdout}`)
  const average = /latency average = ([\d.]+)/.exec(stdout)?.[1]
  return { value: Number(perSecond), details: { 'mean ms': Number(average) } }
}
