import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { untilImagesAreChecked } from '../../tests/chapters/uploads.ts'
import { exportOf, fetchArchive, filledOrganization } from '../../tests/data/archives.ts'
import {
  ownedTables,
  type PlantedOrganization,
  plantOrganization,
  rowsOf,
} from '../../tests/data/organization-erasure-scene.ts'
import { whereStored } from '../../tests/data/stored-text.ts'
import { openTestOffice, type TestOffice } from '../../tests/office.ts'
import { atrium } from '../../tests/operator/command-line.ts'
import { newFounder, signInAgain } from '../../tests/people.ts'
import { until } from '../../tests/until.ts'

describe('atrium organization erase', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
    await untilImagesAreChecked(office)
    // numbers that nothing else has
    await office.database.pool.query(`select setval('organizations_id_seq', 7300518200)`)
  })
  afterAll(() => office.close())

  const organization = (...args: string[]) =>
    atrium(office, ['organization', ...args], { settings: { DATA_DIR: office.dataDir } })
  const query = async (statement: string, ...values: unknown[]) =>
    (await office.database.pool.query(statement, values)).rows
  /** Deleted so many days ago. */
  async function deleted({ browser, organizationId }: Awaited<ReturnType<typeof newFounder>>, days: number) {
    await browser.call('deleteOrganization', { organizationId })
    await query(
      `update organizations set deleted_at = now() - make_interval(days => $2) where identity_organization_id = $1`,
      organizationId,
      days,
    )
  }
  const filesBelow = async (folder: string) =>
    (await readdir(join(office.dataDir, 'storage', folder))).toSorted()
  /** Where something of an organization is, once what is under way has come to its end. */
  async function traces({ id, organizationId, texts }: PlantedOrganization): Promise<string[]> {
    await query(`update ended_access set ended_at = ended_at - interval '2 days'`)
    for (const job of ['purge-ended-access', 'remove-replaced-images']) await office.office.jobs.runNow(job)
    await until(async () => (await query('select from centrifugo_outbox')).length === 0)
    const found = await whereStored(office, [id, organizationId, ...texts])
    // mails have been sent
    return found.filter((place) => !place.startsWith('sandbox_mails.'))
  }

  it('leaves nothing of it in any table or file, and all of another one', async () => {
    const [erased, other] = [
      await plantOrganization(office, 'Erased'),
      await plantOrganization(office, 'Other'),
    ]
    const { founder, member, bot } = erased
    await query('update sessions set active_organization_id = $1 where user_id = $2', erased.id, member.id)
    await query('update users set last_organization_id = $1 where id = $2', erased.id, member.id)
    await query(
      `insert into sessions (token_hash, user_id, method, sso_organization_id, created_at, last_seen_at, idle_expires_at,
          absolute_expires_at, network, device, signed_in_at)
        select 'sso', user_id, 'sso', $1, created_at, last_seen_at, idle_expires_at, absolute_expires_at, '', '', signed_in_at
        from sessions where user_id = $2 limit 1`,
      erased.id,
      member.id,
    )
    const tables = (await ownedTables(office)).map(({ table }) => table)
    const before = await rowsOf(office, erased)
    expect(tables.filter((table) => !before.has(table))).toEqual(['mail_queue'])
    await deleted(founder, 31)
    const others = await rowsOf(office, other)
    const files = await filesBelow(`attachments/${other.id}/`)
    const said = await organization('erase', erased.organizationId)
    expect(said).toMatch(/^Erased \(org_\w+\) is erased: \d{3,} rows and \d{2,} files\.$/m)
    expect(said).toMatch(/^ {2}audit_entries +\d+$/m)
    expect(said).toContain('3 that were its own')
    expect(await traces(erased)).toEqual([])
    others.delete('ended_access')
    expect(Object.fromEntries(await rowsOf(office, other))).toMatchObject(Object.fromEntries(others))
    expect(await filesBelow(`attachments/${other.id}/`)).toEqual(files)
    // people stay, and go on
    const { browser } = await signInAgain(office, member.email)
    expect((await browser.call('getCurrentUser')).organizationMemberships).toEqual([])
    await browser.call('createOrganization', { name: 'Founded after it' })
    expect(await query('select display_name from users where id = $1', bot)).toEqual([
      { display_name: 'Deleted person' },
    ])
    await expect(organization('erase', erased.organizationId)).rejects.toThrow(
      `There is no organization ${erased.organizationId}`,
    )
  })

  it('refuses what is not there, not deleted, on the move, just deleted, or under legal hold', async () => {
    const founder = await newFounder(office, 'Refused')
    const { browser, organizationId } = founder
    const id = (
      await query('select id from organizations where identity_organization_id = $1', organizationId)
    )[0]?.id
    await expect(organization('erase', 'org_x')).rejects.toThrow('There is no organization org_x')
    await expect(organization('erase', organizationId, '--now')).rejects.toThrow('is not deleted')
    const { room } = await browser.call('createRoom', { name: 'Kitchen' })
    await query(
      `insert into recordings (id, organization_id, room_id, state, conference_topic, zone_id, participants, started_by,
          requested_at, ended_at, file_key, held_at)
        values (gen_random_uuid(), $1, $2, 'completed', '', '', '', $3, now(), now(), $4, now())`,
      id,
      room.id,
      founder.id,
      `recordings/${organizationId}/held.mp4`,
    )
    await deleted(founder, 29)
    await expect(organization('erase', organizationId)).rejects.toThrow('deleted within the last 30 days')
    await expect(organization('erase', organizationId, '--now')).rejects.toThrow(
      'has 1 of its recordings under legal hold',
    )
    await query(
      `insert into organization_moves (organization_id, moved_to, moved_at) values ($1, 'https://new.example', now())`,
      id,
    )
    await expect(organization('erase', organizationId, '--now')).rejects.toThrow('is on the move')
    await query('delete from organization_moves where organization_id = $1', id)
    // nothing was done: it comes back
    expect(await organization('restore', organizationId)).toContain('is back')
    expect(await browser.call('listOrganizations')).toMatchObject([{ organizationId }])
  })

  it('goes on where it was cut off, and nothing brings back what is left', async () => {
    const cutOff = await plantOrganization(office, 'Half')
    const { organizationId } = cutOff
    await deleted(cutOff.founder, 1)
    await query(`
      create function refuse_deletion() returns trigger language plpgsql as $$ begin raise exception 'not now'; end $$;
      create trigger refused before delete on rooms for each row execute function refuse_deletion()`)
    await expect(organization('erase', organizationId, '--now')).rejects.toThrow('not now')
    expect(await query('select from messages where org_id = $1', cutOff.id)).toEqual([])
    expect(await query('select from rooms where organization_id = $1', cutOff.id)).not.toEqual([])
    await query('drop trigger refused on rooms')
    await expect(organization('restore', organizationId)).rejects.toThrow(
      'was deleted within the last 30 days',
    )
    // two at once: one of them may find nothing any more
    const both = await Promise.allSettled([1, 2].map(() => organization('erase', organizationId)))
    expect(both.map(({ status }) => status)).toContain('fulfilled')
    for (const one of both)
      if (one.status === 'rejected') expect(String(one.reason)).toContain('There is no organization')
    expect(await traces(cutOff)).toEqual([])
  })

  it('makes room for its archive', async () => {
    const { founder, member } = await filledOrganization(office, 'Returning')
    const { organizationId } = founder
    const archive = await fetchArchive(await exportOf(office, founder.browser, 'Organization'))
    await deleted(founder, 0)
    await expect(organization('import', archive.path)).rejects.toThrow('is not erased yet')
    await organization('erase', organizationId, '--now')
    expect(await organization('import', archive.path)).toContain('Returning (org_')
    const { browser } = await signInAgain(office, member.email)
    expect((await browser.call('getCurrentUser')).currentOrganizationId).toBe(organizationId)
    expect(await organization('verify-audit', organizationId)).toContain('is whole')
    await archive.remove()
  })

  it('lets an organization move to another office and back', async () => {
    const founder = await newFounder(office, 'Wandering')
    const { organizationId, email } = founder
    await founder.browser.call('createRoom', { name: 'From here' })
    const folder = await mkdtemp(join(tmpdir(), 'atrium-erase-'))
    const elsewhere = await openTestOffice()
    const there = (...args: string[]) =>
      atrium(elsewhere, ['organization', ...args], { settings: { DATA_DIR: elsewhere.dataDir } })
    const [out, back] = [join(folder, 'out.tar.gz'), join(folder, 'back.tar.gz')]
    const away = ['--to', 'https://new.example', '--settle', '0']
    await organization('move', 'switch', organizationId, out, ...away)
    await expect(organization('erase', organizationId, '--now')).rejects.toThrow('is on the move')
    const receipt = /Receipt[^:]*: ([0-9a-f]{64})/.exec(await there('import', out))?.[1] as string
    await organization('move', 'confirm', organizationId, receipt)
    await organization('erase', organizationId, '--now')
    await (await signInAgain(elsewhere, email)).browser.call('createRoom', { name: 'From there' })
    await there('move', 'switch', organizationId, back, ...away)
    expect(await organization('import', back)).toContain('Wandering (org_')
    const { browser } = await signInAgain(office, email)
    const { rooms } = await browser.call('listRooms')
    expect(rooms.map(({ name }) => name).toSorted()).toEqual(['From here', 'From there'])
    await Promise.all([elsewhere.close(), rm(folder, { recursive: true })])
  })
})
