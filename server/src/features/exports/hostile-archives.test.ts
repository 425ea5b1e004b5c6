import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { untilImagesAreChecked } from '../../../tests/chapters/uploads.ts'
import {
  exportOf,
  type FilledOrganization,
  fetchArchive,
  filledOrganization,
  type ReadArchive,
} from '../../../tests/data/archives.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { atrium } from '../../../tests/operator/command-line.ts'
import { writeArchive } from '../../platform/archive/archive-writer.ts'

const ESC = '\u001b[2J'
const DEEP = `${'['.repeat(200_000)}${']'.repeat(200_000)}`

/** Archives that are written to do harm, with checksums that fit: each is refused, and leaves nothing behind. */
describe('a hostile archive', () => {
  let office: TestOffice
  let target: TestOffice
  let filled: FilledOrganization
  let archive: ReadArchive
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'atrium-hostile-'))
    office = await openTestOffice()
    await untilImagesAreChecked(office)
    filled = await filledOrganization(office)
    archive = await fetchArchive(await exportOf(office, filled.founder.browser, 'Organization'))
    target = await openTestOffice()
  })
  afterAll(async () => {
    await archive.remove()
    await target.close()
    await office.close()
    await rm(folder, { recursive: true })
  })

  type Header = {
    organization: { name: unknown }
    madeAt: unknown
    chapters: { name: string; rows: number }[]
  }
  type Files = Map<string, string | Buffer>

  let forgeries = 0
  async function forged(change: (files: Files, header: Header) => void): Promise<string> {
    const header: Header = JSON.parse(archive.files.get('archive.json')?.toString() as string)
    const files: Files = new Map(archive.files)
    change(files, header)
    // unless what is forged is the text of it
    if (files.get('archive.json') === archive.files.get('archive.json'))
      files.set('archive.json', `${JSON.stringify(header)}\n`)
    forgeries += 1
    const path = join(folder, `${forgeries}.tar.gz`)
    const writer = writeArchive(path, new Date())
    const places = ['archive.json', ...header.chapters.map(({ name }) => name), 'pictures']
    const placeOf = (name: string) => {
      const place = places.indexOf(name.split('/')[0] as string)
      return place < 0 ? places.length : place
    }
    for (const [name, bytes] of [...files].sort(([a], [b]) => placeOf(a) - placeOf(b)))
      await writer.add(name, Buffer.from(bytes))
    await writer.finish()
    return path
  }
  const replaced = (name: string, from: string | RegExp, to: string) =>
    forged((files) => {
      const text = String(files.get(name))
      expect(text).toMatch(from)
      files.set(
        name,
        text.replace(from, () => to),
      )
    })
  /** With a line more of a chapter. */
  const withLine = (chapter: string, line: string) =>
    forged((files, header) => {
      const name = `${chapter}/000001.jsonl`
      files.set(name, `${files.get(name) ?? ''}${line}\n`)
      for (const one of header.chapters) if (one.name === chapter) one.rows += 1
    })
  /** A line of a chapter with these values; nothing in the other columns. */
  const lineOf = (chapter: string, values: Record<string, unknown>) => {
    const { chapters } = archive.header as { chapters: { name: string; columns: string[] }[] }
    const columns = chapters.find(({ name }) => name === chapter)?.columns ?? []
    return JSON.stringify(Object.fromEntries(columns.map((column) => [column, values[column] ?? null])))
  }
  const organizationId = () => (archive.rows('organization')[0] as { id: number }).id
  const someone = (id: string) => {
    const [row] = archive.rows('people')
    const another = { identity_user_id: 'user_01AAAAAAAAAAAAAAAAAAAAAAAA', email: 'more@hostile.example' }
    return JSON.stringify({ ...row, ...another, avatar_key: null }).replace(/"id":\d+/, `"id":${id}`)
  }
  const recordingLine = (transcript: unknown) => {
    const folder = `recordings/${filled.founder.organizationId}`
    const file_key = `${folder}/0b5f3a4e-0000-4000-8000-000000000000.mp4`
    return lineOf('recordings', { organization_id: organizationId(), file_key, transcript })
  }
  const refusalOf = async (path: string) =>
    await atrium(target, ['organization', 'import', path], { settings: { DATA_DIR: target.dataDir } }).then(
      () => 'it was imported',
      (error: Error) => `${error.name}: ${error.message}`,
    )

  const people = 'people/000001.jsonl'
  const rooms = 'rooms/000001.jsonl'
  const hostile: [string, () => Promise<string>, RegExp][] = [
    [
      'NUL in a name',
      () => replaced(people, '"display_name":"', '"display_name":"\\u0000'),
      /people\/000001.jsonl, line \d/,
    ],
    [
      'half a character',
      () => replaced(people, '"display_name":"', '"display_name":"\\ud800'),
      /people\/000001.jsonl, line \d/,
    ],
    [
      'the last id that there is',
      () => withLine('people', someone('9223372036854775807')),
      /people\/000001.jsonl, line 4/,
    ],
    ['an id below one', () => withLine('people', someone('-1')), /people\/000001.jsonl, line 4/],
    ['an id that is text', () => withLine('people', someone('"4 or 1=1"')), /people\/000001.jsonl, line 4/],
    [
      'an id that is there',
      () => withLine('people', someone(filled.member.id)),
      /people\/000001.jsonl, line \d/,
    ],
    [
      'JSON nested deep',
      () => replaced(rooms, /"metadata":(\{[^}]*\}|null)/, `"metadata":${DEEP}`),
      /rooms\/000001.jsonl, line 1/,
    ],
    [
      'a header nested deep',
      () => replaced('archive.json', '"format"', `"x":${DEEP},"format"`),
      /archive.json/,
    ],
    [
      'columns nested deep',
      () => replaced('archive.json', /"columns": \[/, `"columns": [${DEEP},`),
      /archive.json|chapters/,
    ],
    [
      'a name for terminals',
      () =>
        forged((_files, header) => {
          header.organization.name = `x${ESC}`
        }),
      /archive.json/,
    ],
    [
      'no text as a name',
      () =>
        forged((_files, header) => {
          header.organization.name = { a: 1 }
        }),
      /archive.json/,
    ],
    [
      'no time',
      () =>
        forged((_files, header) => {
          header.madeAt = { a: ESC }
        }),
      /archive.json/,
    ],
    [
      'words for terminals in a role',
      () => replaced('memberships/000001.jsonl', '"admin"', '"\\u001b[2J"'),
      /memberships\/000001.jsonl, line \d/,
    ],
    [
      'a role above those that there are',
      () => replaced('memberships/000001.jsonl', '"admin"', '"owner"'),
      /memberships\/000001.jsonl, line \d/,
    ],
    ['a line cut off', () => replaced(people, /\n$/, ''), /people\/000001.jsonl, line \d/],
    ['a column more', () => replaced(people, '{', '{"is_admin":true,'), /people\/000001.jsonl, line 1/],
    ['no JSON', () => replaced(people, '{', '[{'), /people\/000001.jsonl, line 1/],
    [
      'a room of nobody',
      () => replaced(rooms, /"created_by":\d+/, '"created_by":987654'),
      /rooms\/000001.jsonl, line \d/,
    ],
    [
      'a trail that was changed',
      () => replaced('audit/000001.jsonl', /"request_id":"[^"]+"/, '"request_id":"x"'),
      /look at entry/,
    ],
    [
      'a recording of others',
      () =>
        withLine(
          'recordings',
          lineOf('recordings', {
            organization_id: organizationId(),
            file_key: 'recordings/org_01OTHEROTHEROTHER/0b5f3a4e-0000-4000-8000-000000000000.mp4',
          }),
        ),
      /recordings\/000001.jsonl, line 1: .* no recording of the organization/,
    ],
    ...[
      ['words', '"hello"'],
      ['a list of others', '[{"from":0,"to":1,"identity":"7","text":"a"},{"from":0,"to":1,"identity":"7"}]'],
      ['null', '[null]'],
      ['times that are text', '[{"from":"0","to":1,"identity":"7","text":"a"}]'],
      ['a name that is none', '[{"from":0,"to":1,"identity":"7","name":{},"text":"a"}]'],
    ].map(([what, transcript]): [string, () => Promise<string>, RegExp] => [
      `a transcript of ${what}`,
      () => withLine('recordings', recordingLine(JSON.parse(transcript as string))),
      /recordings\/000001.jsonl, line 1: .* transcript/,
    ]),
    [
      'a line of another chapter that is too long',
      () => replaced(rooms, '{', `{${' '.repeat(1024 * 1024)}`),
      /rooms\/000001.jsonl, line 1/,
    ],
    [
      'a table',
      () => forged((files) => files.set('pg_authid/000001.jsonl', '{}\n')),
      /pg_authid\/000001.jsonl/,
    ],
  ]
  it.each(hostile)(
    'with %s is refused by file and line, and nothing stays',
    async (_name, make, sentence) => {
      const said = await refusalOf(await make())
      expect(said).toMatch(sentence)
      expect(said).toMatch(/^ArchiveProblem/)
      expect(said).not.toContain('\u001b')
      expect(said.length).toBeLessThan(600)
      const { rows } = await target.database.pool.query(
        'select (select count(*) from users) + (select count(*) from rooms) + (select count(*) from audit_entries) as count',
      )
      expect(rows).toEqual([{ count: '0' }])
      const kept = await readdir(target.dataDir, { recursive: true })
      expect(kept.filter((name) => /\.(jpg|png|webp)$/.test(name))).toEqual([])
    },
  )
  it('is not believed that the DNS proves a domain, nor when it is to be asked again', async () => {
    const proven = {
      ...{ organization_id: organizationId(), domain: 'hostile.example', state: 'verified', challenge: 'x' },
      ...{ created_at: '2026-01-01T00:00:00Z', verified_at: '2026-01-01T00:00:00Z', proven_by_dns: true },
      looked_up_at: '2999-01-01T00:00:00Z',
    }
    expect(await refusalOf(await withLine('domains', lineOf('domains', proven)))).toBe('it was imported')
    const { rows } = await target.database.pool.query(
      'select proven_by_dns, looked_up_at from organization_domains where domain = $1',
      ['hostile.example'],
    )
    expect(rows).toEqual([{ proven_by_dns: false, looked_up_at: null }])
  })
})
