import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { readArchive } from '../../src/platform/archive/archive-reader.ts'
import { until } from '../until.ts'
import { fillOrganization } from './fill-organization.ts'
import { IS_LARGE } from './large.ts'
import { databaseOf, type Guest, openProcessHarness, signUpAt } from './office-process.ts'

const harness = openProcessHarness()
afterEach(() => harness.clear())

const PEOPLE = 1_000
const MESSAGES = IS_LARGE ? 100_000 : 4_000
/** Of each. */
const CHARACTERS = 1_100
/**
 * More text than a process may hold that has so little memory: it ends where it gathers what it writes or reads. On each
 * commit as long messages, and fewer.
 */
const TEXT_MIB = IS_LARGE ? 105 : 4
const LITTLE_MEMORY = { NODE_OPTIONS: '--max-old-space-size=128' }

type Exported = { exportId: string; state: string; progress: number; downloadUrl?: string }

const newest = async ({ browser }: Guest): Promise<Exported | undefined> =>
  (await browser.call('listOrganizationExports')).exports[0]

/** Fetches an archive once it is there. @returns the digest of each of its files */
async function fetched(guest: Guest, path: string): Promise<Map<string, string>> {
  let url: string | undefined
  await until(async () => {
    const found = await newest(guest)
    expect(found?.state).not.toBe('failed')
    url = found?.downloadUrl
    return url !== undefined
  })
  await writeFile(path, Buffer.from(await (await fetch(url as unknown as string)).arrayBuffer()))
  const digests = new Map<string, string>()
  let bytes = 0
  for await (const entry of readArchive(path)) {
    const file = await entry.hold()
    bytes += file.bytes.length
    // audit trail and header say when, and what was done since
    if (!/^(archive\.json|audit)/.test(file.name))
      digests.set(file.name, createHash('sha256').update(file.bytes).digest('hex'))
  }
  expect(bytes).toBeGreaterThan(TEXT_MIB * 1024 * 1024)
  return digests
}

it(`exports ${PEOPLE} people with ${MESSAGES} messages though it is killed meanwhile, and imports them as they were`, async () => {
  const folder = await harness.folder()
  const settings = { DATA_DIR: folder, ...LITTLE_MEMORY }
  let office = await harness.serve({ settings })
  const founder = await signUpAt(office.url)
  const { id } = await founder.browser.call('createOrganization', { name: 'Large' })
  await fillOrganization(await databaseOf(folder), id, {
    ...{ people: PEOPLE, messages: MESSAGES, characters: CHARACTERS },
  })
  await founder.browser.call('startOrganizationExport')
  await until(async () => ((await newest(founder))?.progress ?? 0) >= 20)
  office.kill('SIGKILL')
  await office.ended

  office = await harness.serve({ settings: { ...settings, PORT: new URL(office.url).port } })
  const path = join(folder, 'first.tar.gz')
  const digests = await fetched(founder, path)
  expect(await office.stop()).toEqual({ code: 0, signal: null })

  const other = await harness.folder()
  const run = harness.run(['organization', 'import', path], {
    settings: { DATA_DIR: other, ...LITTLE_MEMORY },
  })
  expect(await run.ended, run.stderr()).toEqual({ code: 0, signal: null })
  expect(run.stdout()).toContain(`Large (${id}) is here`)
  office = await harness.serve({ settings: { DATA_DIR: other } })
  const again = await signUpAt(office.url, founder.email)
  await again.browser.call('startOrganizationExport')
  expect(await fetched(again, join(other, 'second.tar.gz'))).toEqual(digests)
  await office.stop()
})
