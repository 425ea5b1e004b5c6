import { buffer } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  exportOf,
  type FilledOrganization,
  fetchArchive,
  filledOrganization,
  storedBytes,
} from '../../../tests/data/archives.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { auditOf, newFounder, newMember } from '../../../tests/people.ts'
import { until } from '../../../tests/until.ts'
import { secondsAfter } from '../../platform/clock.ts'
import { ProviderFailure } from '../../platform/refusal.ts'

describe('startOrganizationExport', () => {
  let office: TestOffice
  let filled: FilledOrganization
  beforeAll(async () => {
    office = await openTestOffice()
    const { uploads } = office.office
    uploads.startImageCheck()
    await until(async () => (await uploads.imageCheck.ready().catch((error: unknown) => error)) === undefined)
    filled = await filledOrganization(office)
  })
  afterAll(() => office.close())
  afterEach(() => vi.restoreAllMocks())

  it('makes an archive of everything in the organization', async () => {
    const { founder, member, former, room } = filled
    const archive = await fetchArchive(await exportOf(office, founder.browser, 'Organization'))
    const ids = (chapter: string) => archive.rows(chapter).map(({ id, user_id: user }) => String(id ?? user))
    expect(archive.header).toMatchObject({
      ...{ format: 'atrium-archive', version: 1, kind: 'organization' },
      organization: { organizationId: founder.organizationId, name: 'Filled' },
    })
    expect(ids('people').sort()).toEqual([founder.id, member.id, former.id].sort())
    expect(ids('memberships').sort()).toEqual([founder.id, member.id].sort())
    expect(archive.rows('departures')).toMatchObject([{ user_id: Number(former.id), kind: 'removed' }])
    expect(archive.rows('rooms').find(({ id }) => id === room.id)).toMatchObject({ metadata: { floor: '2' } })
    expect(archive.rows('rooms')).toHaveLength(2)
    expect(archive.rows('messages').map(({ content }) => content)).toEqual([
      ...['hello\nthere', 'of Filled', '"quoted" \\n \u2028', 'to all', 'plan.png', 'I leave'],
    ])
    expect(archive.rows('invitations')).toHaveLength(1)
    expect(archive.rows('guests')).toMatchObject([{ name: 'Gast', state: 'denied' }])
    expect(archive.rows('tokens')).toMatchObject([{ name: 'Payroll' }])
    const actions = (await auditOf(founder)).map(({ action }) => action)
    expect(archive.rows('audit').map(({ action }) => action)).toEqual(expect.arrayContaining(actions))
    const [person] = archive.rows('people').filter(({ avatar_key: key }) => key !== null)
    const [plan] = archive.rows('attachments')
    expect(plan).toMatchObject({ name: 'plan.png', content_type: 'image/png', width: 256, height: 256 })
    expect(archive.files.get(`files/${plan?.object_key}`)?.length).toBe(plan?.bytes)
    expect(archive.files.get(`files/${plan?.preview_key}`)?.toString('latin1', 8, 12)).toBe('WEBP')
    const picture = archive.files.get(`pictures/${person?.avatar_key}`)
    expect(picture?.subarray(1, 4).toString()).toBe('PNG')
    // each chapter has as many rows as the header says, and no others are there
    for (const { name, rows, columns } of archive.header.chapters as {
      name: string
      rows: number
      columns: string[]
    }[]) {
      const found = archive.rows(name)
      expect(found, name).toHaveLength(rows)
      for (const row of found) expect(Object.keys(row)).toEqual(columns)
    }
    await archive.remove()
  })

  it('says of whoever has left no more than the name they wrote under, and of nobody how they appear', async () => {
    const { founder, former } = filled
    const archive = await fetchArchive(await exportOf(office, founder.browser, 'Organization'))
    const [row] = archive.rows('people').filter(({ id }) => String(id) === former.id)
    expect(row).toMatchObject({
      email: null,
      first_name: null,
      avatar_key: null,
      display_name: expect.any(String),
    })
    expect(archive.text).not.toContain(former.email)
    expect(archive.text).not.toContain('note of')
    await archive.remove()
  })

  it('has no secret in it, nor what secrets are stored as', async () => {
    const archive = await fetchArchive(await exportOf(office, filled.founder.browser, 'Organization'))
    const stored = await storedBytes(office)
    expect(filled.secrets.length).toBeGreaterThan(8)
    expect(stored.length).toBeGreaterThan(30)
    for (const secret of [...filled.secrets, ...stored]) expect(archive.text).not.toContain(secret)
    await archive.remove()
  })

  it('has nothing of another organization, though they share a person', async () => {
    const other = await newFounder(office, 'Elsewhere Ltd')
    const stranger = await newMember(office, other, 'member')
    await newMember(office, other, 'moderator', filled.member)
    await other.browser.call('createRoom', { name: 'Secret Garden' })
    const archive = await fetchArchive(await exportOf(office, filled.founder.browser, 'Organization'))
    for (const theirs of ['Elsewhere', 'Secret Garden', other.organizationId, other.email, stranger.email])
      expect(archive.text).not.toContain(theirs)
    expect(archive.rows('memberships').every(({ role }) => role !== 'moderator')).toBe(true)
    await archive.remove()
  })

  it('is refused while one is running, also where two come at once, and is audited', async () => {
    const founder = await newFounder(office)
    const { storage } = office.office.uploads
    let letGo = () => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const write = storage.writeStream.bind(storage)
    vi.spyOn(storage, 'writeStream').mockImplementation(async (...args) => {
      await held
      await write(...args)
    })
    const start = () => founder.browser.request('startOrganizationExport')
    const answers = await Promise.all([start(), start()])
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409])
    expect(await start()).toMatchObject({ status: 409, body: { error: 'export-running' } })
    const list = async () => (await founder.browser.call('listOrganizationExports')).exports
    // all is written, and nothing can be fetched yet
    await until(async () => (await list())[0]?.progress === 99)
    expect(await list()).toEqual([
      { exportId: expect.any(String), state: 'running', startedAt: expect.any(String), progress: 99 },
    ])
    letGo()
    await until(async () => (await list())[0]?.state === 'ready')
    expect((await start()).status).toBe(202)
    await until(async () => (await list()).every(({ state }) => state === 'ready'))
    const entries = (await auditOf(founder)).filter(({ action }) => action === 'export.started')
    expect(entries.map(({ target }) => target.id)).toEqual(
      (await list()).map(({ exportId }) => exportId).reverse(),
    )
  })

  it('begins again where it failed, and is failed after four times', async () => {
    const founder = await newFounder(office)
    const { storage } = office.office.uploads
    const failure = new ProviderFailure('a store', 'write', { retryable: true })
    const write = vi.spyOn(storage, 'writeStream').mockRejectedValueOnce(failure)
    const list = async () => (await founder.browser.call('listOrganizationExports')).exports
    await founder.browser.call('startOrganizationExport')
    await until(async () => {
      if (write.mock.calls.length > 0) office.clock.advance(600)
      return (await list())[0]?.state === 'ready'
    })
    expect(write.mock.calls.length).toBe(2)
    write.mockClear()
    // the answer is lost: what was written is there all the same
    const written = new Set<string>()
    write.mockImplementation(async (key, bytes, options) => {
      await storage.write(key, await buffer(bytes), options)
      written.add(key)
      throw failure
    })
    await founder.browser.call('startOrganizationExport')
    await until(async () => {
      office.clock.advance(600)
      return (await list())[0]?.state === 'failed'
    })
    expect(write.mock.calls.length).toBe(4)
    // no export names them any more
    for (const key of written) expect(await storage.find(key)).toBeUndefined()
  })

  it('stays where another node, which took it over, was done before', async () => {
    const founder = await newFounder(office)
    const { storage } = office.office.uploads
    const write = storage.writeStream.bind(storage)
    vi.spyOn(storage, 'writeStream').mockImplementationOnce(async (...args) => {
      await write(...args)
      // the node that had lost its lease, and was slow to hear of it, comes after this
      await office.database.pool.query(
        `update exports set state = 'ready', progress = 100, ended_at = $2, expires_at = $3, size_bytes = 1
          where object_key = $1`,
        [args[0], office.clock.now(), secondsAfter(office.clock.now(), 3_600)],
      )
    })
    const url = await exportOf(office, founder.browser, 'Organization')
    await office.office.work.worker('exports').drain()
    expect((await fetch(url)).status).toBe(200)
  })

  it('has a budget for the day', async () => {
    const strict = await openTestOffice({
      beside: office,
      settings: { RATE_LIMIT_EXPORTS_PER_ORGANIZATION: '1', RATE_LIMIT_EXPORTS_PER_USER: '1' },
    })
    try {
      const founder = await newFounder(strict)
      for (const kind of ['Organization', 'User'] as const) {
        await exportOf(strict, founder.browser, kind)
        const again = await founder.browser.request(`start${kind}Export`)
        expect(again).toMatchObject({ status: 429, body: { error: 'rate-limited' } })
        expect(again.headers.get('retry-after')).toMatch(/^\d+$/)
      }
    } finally {
      await strict.close()
    }
  })

  it('takes nothing of the day for what does not begin, however many ask at once', async () => {
    const strict = await openTestOffice({
      beside: office,
      settings: { RATE_LIMIT_EXPORTS_PER_ORGANIZATION: '2', RATE_LIMIT_EXPORTS_PER_USER: '2' },
    })
    const { storage } = strict.office.uploads
    const { db } = strict.database
    try {
      for (const kind of ['Organization', 'User'] as const) {
        const founder = await newFounder(strict)
        const written = Promise.withResolvers<void>()
        const write = vi
          .spyOn(storage, 'writeStream')
          .mockImplementationOnce(async () => await written.promise)
        const start = () => founder.browser.request(`start${kind}Export`)
        const answers = await Promise.all(Array.from({ length: 6 }, start))
        expect(answers.filter(({ status }) => status === 202)).toHaveLength(1)
        expect((await start()).status).toBe(409)
        written.resolve()
        await until(
          async () =>
            (await db.selectFrom('exports').select('id').where('state', '=', 'running').execute()).length ===
            0,
        )
        write.mockRestore()
        expect((await start()).status).toBe(202)
        await until(async () => (await start()).status === 429)
      }
    } finally {
      await strict.close()
    }
  })
})
