import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chatterOf, openDm } from '../../tests/chapters/chat.ts'
import { openTestOffice, type TestOffice } from '../../tests/office.ts'
import { atrium } from '../../tests/operator/command-line.ts'
import { newFounder, newMember, type Person, signInAgain } from '../../tests/people.ts'
import { until } from '../../tests/until.ts'
import { archiveChapters } from '../compose/from-features/archive-chapters.ts'
import { findOrganization, type OrganizationRef } from '../directory/organizations.ts'
import { switchAway } from '../features/exports/move-organization.ts'
import { systemClock } from '../platform/clock.ts'
import { openDatabase } from '../platform/database/database.ts'
import { type IdentityOrganizationId, parseIdentityOrganizationId } from '../platform/ids.ts'
import { makeKeyRing } from '../platform/secrets/sealed-column.ts'
import { Secret } from '../platform/secrets/secret.ts'

const invitationRing = makeKeyRing('tests', new Secret('0123456789'.repeat(4)))

describe('atrium organization move', () => {
  let source: TestOffice
  let target: TestOffice
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'atrium-move-'))
    ;[source, target] = await Promise.all([openTestOffice(), openTestOffice()])
    await newFounder(target, 'Here before')
  })
  afterAll(async () => {
    await Promise.all([source.close(), target.close()])
    await rm(folder, { recursive: true })
  })
  const command = (office: TestOffice, ...args: string[]) =>
    atrium(office, ['organization', ...args], { settings: { DATA_DIR: office.dataDir } })
  const leave = (id: string, file: string, ...more: string[]) =>
    command(source, 'move', 'switch', id, file, '--to', 'https://new.example/x', '--settle', '1', ...more)
  const receiptIn = (said: string) => /Receipt[^:]*: ([0-9a-f]{64})/.exec(said)?.[1] as string

  interface Scene {
    founder: Person & { organizationId: string }
    member: Person
    conversationId: number
  }
  async function scene(): Promise<Scene> {
    const founder = await newFounder(source)
    const member = await newMember(source, founder, 'member')
    const [ada, ben] = await Promise.all([founder, member].map((one) => chatterOf(source, one)))
    const conversationId = await openDm(ada as Awaited<ReturnType<typeof chatterOf>>, ben as Person)
    await source.database.pool.query(
      `insert into organization_domains (organization_id, domain, state, challenge, created_at, verified_at, proven_by_dns)
        select id, id || '.example', 'verified', 'c', now(), now(), true
        from organizations where identity_organization_id = $1`,
      [founder.organizationId],
    )
    return { founder, member, conversationId }
  }
  /** Two people write until they are refused; they have begun when it answers. */
  async function beginWriting({ founder, member, conversationId }: Scene) {
    const acknowledged: string[] = []
    const write = async ({ browser, id }: Person) => {
      for (let n = 0; ; n += 1) {
        const content = `${id}: ${n}`
        const { status } = await browser.request('sendMessage', { conversationId, content })
        if (status >= 400) return
        acknowledged.push(content)
        // not so fast that they are refused for that
        await sleep(200)
      }
    }
    const ended = Promise.all([founder, member].map(write))
    await until(async () => acknowledged.length > 3)
    return async () => {
      await ended
      return acknowledged
    }
  }
  const written = async (office: TestOffice, organizationId: string) => {
    const { rows } = await office.database.pool.query<{ content: string }>(
      `select content from messages m join organizations o on o.id = m.org_id
        where o.identity_organization_id = $1 order by message_id`,
      [organizationId],
    )
    return rows.map(({ content }) => content)
  }
  const domainOf = async (organizationId: string) => {
    const { rows } = await source.database.pool.query(
      `select d.state from organization_domains d join organizations o on o.id = d.organization_id
        where o.identity_organization_id = $1`,
      [organizationId],
    )
    return rows[0]?.state
  }

  it('takes along everything that was acknowledged before, and ends when the other office has it', async () => {
    const all = await scene()
    const { organizationId, email } = all.founder
    const file = join(folder, 'moved.tar.gz')
    const endOfWriting = await beginWriting(all)
    expect(await leave(organizationId, file)).toContain('is closed here. Import')
    const acknowledged = await endOfWriting()
    const said = await command(target, 'import', file)
    const there = await written(target, organizationId)
    expect(acknowledged.filter((content) => !there.includes(content))).toEqual([])
    expect(there).toEqual(await written(source, organizationId))
    // gone here, and entered there by the same address
    const here = await signInAgain(source, email)
    expect((await here.browser.call('getCurrentUser')).organizationMemberships).toEqual([])
    const { browser } = await signInAgain(target, email)
    expect((await browser.call('getCurrentUser')).currentOrganizationId).toBe(organizationId)
    await expect(command(source, 'restore', organizationId)).rejects.toThrow('was deleted within')
    await expect(command(source, 'move', 'confirm', organizationId, 'f'.repeat(64))).rejects.toThrow(
      'another archive',
    )
    expect(await domainOf(organizationId)).toBe('verified')
    await command(source, 'move', 'confirm', organizationId, receiptIn(said))
    expect(await domainOf(organizationId)).toBe('pending')
    await expect(command(source, 'move', 'rollback', organizationId)).rejects.toThrow('not on the move')
  })

  it('is taken back, and everything is as it was', async () => {
    const all = await scene()
    const { organizationId, email } = all.founder
    const file = join(folder, 'back.tar.gz')
    const endOfWriting = await beginWriting(all)
    await leave(organizationId, file)
    const acknowledged = await endOfWriting()
    // once more: the archive of what is closed is written anew
    await leave(organizationId, file)
    await command(source, 'move', 'rollback', organizationId)
    expect((await written(source, organizationId)).toSorted()).toEqual(acknowledged.toSorted())
    expect(await domainOf(organizationId)).toBe('verified')
    const { browser } = await signInAgain(source, email)
    await browser.call('createRoom', { name: 'Still here' })
    expect(await command(source, 'verify-audit', organizationId)).toContain('is whole')
  })

  it('leaves the organization open where its archive cannot be written', async () => {
    const { founder } = await scene()
    await expect(leave(founder.organizationId, join(folder, 'no', 'folder'))).rejects.toThrow('ENOENT')
    const { browser } = await signInAgain(source, founder.email)
    expect((await browser.call('getCurrentUser')).currentOrganizationId).toBe(founder.organizationId)
  })

  describe('compares what is in an office with the archive', () => {
    const tableOf = (said: string) =>
      said.split('\n').filter((line) => /^ {2}\S+ +\d+ {2}[0-9a-f]{16}$/.test(line))

    it('and prints the same of each chapter at both', async () => {
      const { founder, conversationId } = await scene()
      await founder.browser.call('sendMessage', { conversationId, content: 'compared' })
      const file = join(folder, 'compared.tar.gz')
      const here = tableOf(await leave(founder.organizationId, file))
      const there = tableOf(await command(target, 'import', file))
      expect(here.filter((line) => /^ {2}(people +2|messages +1) /.test(line))).toHaveLength(2)
      // tokens and their like are in an archive, and do not come back
      expect(here).toEqual(expect.arrayContaining(there))
      expect(here.length - there.length).toBeLessThan(5)
    })

    it.each([
      ['changes a row', `new.content := 'changed'; return new`, /rows? of the chapter messages differ/],
      ['leaves a row out', 'return null', /chapter messages has 1 rows in the archive, and 0 in this office/],
    ])('and refuses an import that %s: nothing of it stays', async (_, what, why) => {
      const { founder, conversationId } = await scene()
      await founder.browser.call('sendMessage', { conversationId, content: 'to be kept' })
      const file = join(folder, 'changed.tar.gz')
      await leave(founder.organizationId, file)
      await target.database.pool.query(
        `create function spoil() returns trigger language plpgsql as $$ begin ${what}; end $$;
        create trigger spoil before insert on messages for each row execute function spoil()`,
      )
      try {
        await expect(command(target, 'import', file)).rejects.toThrow(why)
      } finally {
        await target.database.pool.query('drop function spoil cascade')
      }
      expect(await written(target, founder.organizationId)).toEqual([])
      expect(receiptIn(await command(target, 'import', file))).toMatch(/^[0-9a-f]{64}$/)
    })

    it('and does not close one that goes on to change: it is open again', async () => {
      const { founder, conversationId } = await scene()
      await founder.browser.call('sendMessage', { conversationId, content: 'at first' })
      const { pool } = source.database
      // pictures are read when the rows have been, and before they are compared
      await pool.query(
        `update users set avatar_key = 'avatars/' || id || '/0190a1b2-0000-7000-8000-000000000001.png' where id = $1`,
        [founder.id],
      )
      const storage = {
        async open() {
          await pool.query(`update messages set content = 'later' where conversation_id = $1`, [
            conversationId,
          ])
          return undefined
        },
      }
      const identityId = parseIdentityOrganizationId(founder.organizationId) as IdentityOrganizationId
      const db = openDatabase(pool)
      const organization = (await findOrganization(db, identityId)) as OrganizationRef
      const needs = { db, storage, clock: systemClock, chapters: archiveChapters({ invitationRing }) }
      const departure = {
        organization,
        to: 'https://new.example',
        path: join(folder, 'later.tar.gz'),
        acceptsMissing: true,
      }
      await expect(switchAway(needs, { ...departure, settleMs: 0, patienceMs: 60_000 })).rejects.toThrow(
        'rows of the chapter messages differ from those of the archive',
      )
      const { browser } = await signInAgain(source, founder.email)
      expect((await browser.call('getCurrentUser')).currentOrganizationId).toBe(founder.organizationId)
    })
  })

  describe('while a transaction is open that began before', () => {
    async function begin({ founder }: Scene) {
      await founder.browser.call('createRoom', { name: 'Early' })
      const client = await source.database.pool.connect()
      await client.query('begin')
      // it has begun, and has written nothing yet: no lock holds the switch
      await client.query('select 1')
      return client
    }
    const isClosed = async (organizationId: string) => {
      const { rows } = await source.database.pool.query(
        `select 1 from organizations where identity_organization_id = $1 and deleted_at is not null`,
        [organizationId],
      )
      return rows.length === 1
    }

    it('waits for it: what it writes is taken along', async () => {
      const all = await scene()
      const { organizationId } = all.founder
      const client = await begin(all)
      try {
        const file = join(folder, 'late.tar.gz')
        const left = leave(organizationId, file, '--settle', '0')
        await until(() => isClosed(organizationId))
        await client.query(
          `update rooms r set name = 'Late' from organizations o
            where o.id = r.organization_id and o.identity_organization_id = $1`,
          [organizationId],
        )
        await client.query('commit')
        await left
        await command(target, 'import', file)
      } finally {
        client.release()
      }
      const { rows } = await target.database.pool.query<{ name: string }>(
        `select r.name from rooms r join organizations o on o.id = r.organization_id
          where o.identity_organization_id = $1`,
        [organizationId],
      )
      expect(rows).toEqual([{ name: 'Late' }])
    })

    it('is refused in words where it does not end, and the organization is open', async () => {
      const all = await scene()
      const { organizationId, email } = all.founder
      const client = await begin(all)
      try {
        await expect(leave(organizationId, join(folder, 'never.tar.gz'), '--patience', '0')).rejects.toThrow(
          /not ended within 0 seconds.*process \d+/,
        )
      } finally {
        await client.query('rollback')
        client.release()
      }
      const { browser } = await signInAgain(source, email)
      expect((await browser.call('getCurrentUser')).currentOrganizationId).toBe(organizationId)
    })
  })
})
