import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { openTestOffice, type TestOffice } from '../../tests/office.ts'
import { newFounder } from '../../tests/people.ts'
import { readConfig } from '../configuration/config.ts'
import { addSupportCommand } from './support.ts'

let office: TestOffice
beforeAll(async () => {
  office = await openTestOffice({ settings: { RATE_LIMIT_PER_USER: '20' } })
})
afterAll(() => office.close())

it('one file has settings, findings and load, and neither a secret nor anything of a person', async () => {
  const { browser, email, id, organizationId } = await newFounder(office)
  const displayName = 'Canarina Personova'
  await browser.call('updateProfile', { displayName })
  for (let n = 0; n < 40; n += 1) await browser.request('listRooms')
  await office.office.jobs.runNow('name-organizations')
  const folder = await mkdtemp(join(tmpdir(), 'atrium-support-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const environment = {
    ATRIUM_ENV: 'test',
    PORT: new URL(office.baseUrl).port,
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: office.database.connectionString,
    SMTP_URL: 'smtp://operator%40canary.example:canary-password@127.0.0.2:1',
    MAIL_FROM: 'Canary Person <person@canary.example>',
    METRICS_PROJECT: 'canary-project',
    CONNECTIONS_MAX: '3000',
  }
  const file = join(folder, 'support.json')
  const program = new Command().exitOverride()
  const context = {
    configuration: async () => readConfig(environment, folder),
    logOf: () => office.office.log,
    print: () => {},
    complain: () => {},
    end: () => {},
  }
  addSupportCommand(program, context, { environment, root: folder })
  await program.parseAsync(['node', 'atrium', 'support', file])
  const text = await readFile(file, 'utf8')
  const bundle = JSON.parse(text)
  expect(bundle.settings).toMatchObject({
    CONNECTIONS_MAX: '3000',
    SMTP_URL: '(given)',
    MAIL_FROM: '(given)',
  })
  expect(bundle.doctor).toContainEqual(
    expect.objectContaining({ part: 'mail', ok: false, says: expect.stringContaining('(address)') }),
  )
  expect(bundle.node.load.organizations.top[0].key).toBe(organizationId)
  expect(bundle.node.load.people.top[0]).toMatchObject({ key: 'person 1', requests: expect.any(Number) })
  expect(text).not.toMatch(new RegExp(`"key": "${id}"`))
  for (const personal of [email, email.split('@')[0] ?? email, displayName, 'canary', '127.0.0.2'])
    expect(text.toLowerCase()).not.toContain(personal.toLowerCase())
  expect((await stat(file)).mode & 0o077).toBe(0)
  await expect(program.parseAsync(['node', 'atrium', 'support', file])).rejects.toThrow('EEXIST')
}, 60_000)
