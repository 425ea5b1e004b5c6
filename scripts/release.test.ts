import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { billOfMaterials, packageOf, productionPackages } from './releases/bill-of-materials.ts'

const ROOT = join(import.meta.dirname, '..')

interface Component {
  name: string
  version: string
  purl: string
}

let clone: string
let version: string
beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), 'atrium-release-'))
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  for (const path of listed.split('\0').filter(Boolean)) cpSync(join(ROOT, path), join(clone, path))
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'))
  // a folder with an end of its own: the rules of the repository name one that is a folder
  writeFileSync(join(clone, '.git-info-exclude'), 'node_modules\n.git-info-exclude\n')
  git('init', '--quiet')
  git('config', 'core.excludesFile', join(clone, '.git-info-exclude'))
  git('config', 'user.name', 'Somebody')
  git('config', 'user.email', 'somebody@people.example')
  commit('All')
  version = (JSON.parse(read('package.json')) as { version: string }).version
})
afterAll(() => rmSync(clone, { recursive: true, force: true }))

const read = (path: string) => readFileSync(join(clone, path), 'utf8')
const git = (...args: string[]) => execFileSync('git', args, { cwd: clone, encoding: 'utf8' })
const changed = () => git('status', '--porcelain').trimEnd().split('\n').filter(Boolean)
function commit(message: string): void {
  git('add', '--all')
  git('commit', '--quiet', '--message', message)
}
const release = (...args: string[]) =>
  spawnSync(process.execPath, ['scripts/release.ts', ...args], { cwd: clone, encoding: 'utf8' })

describe('npm run release', () => {
  it('wants a version, and a tree in which all is committed', () => {
    expect(release()).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('npm run release -- <major'),
    })
    expect(release(version)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('does not come after'),
    })
    writeFileSync(join(clone, 'forgotten.txt'), 'a')
    expect(release('minor')).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/not committed:\n\?\? forgotten\.txt/),
    })
    rmSync(join(clone, 'forgotten.txt'))
    expect(changed()).toEqual([])
  })

  it('names what it would write, and writes nothing', () => {
    const { status, stdout } = release('minor', '--dry-run')
    expect(status).toBe(0)
    expect(stdout).toContain(`${version} → `)
    for (const path of ['package.json', 'server/package.json', 'CHANGELOG.md', 'docs/security/sbom.cdx.json'])
      expect(stdout).toContain(`  ${path}\n`)
    expect(changed()).toEqual([])
  })

  it('writes the version wherever it stands, the section of the changelog and the bill of materials', () => {
    const { status, stderr } = release('97.1.0')
    expect([status, stderr]).toEqual([0, ''])
    const { workspaces } = JSON.parse(read('package.json')) as { workspaces: string[] }
    for (const folder of ['.', ...workspaces])
      expect(JSON.parse(read(join(folder, 'package.json')))).toMatchObject({ version: '97.1.0' })
    const locked = JSON.parse(read('package-lock.json')) as { packages: Record<string, { version: string }> }
    expect(locked).toMatchObject({ version: '97.1.0' })
    for (const folder of ['', ...workspaces]) expect(locked.packages[folder]?.version).toBe('97.1.0')
    expect(JSON.parse(read('docs/openapi.json'))).toMatchObject({ info: { version: '97.1.0' } })
    const today = new Date().toISOString().slice(0, 10)
    expect(read('CHANGELOG.md')).toContain(`## Unreleased\n\n## 97.1.0 - ${today}\n`)

    const text = read('docs/security/sbom.cdx.json')
    const bill = JSON.parse(text) as {
      metadata: { component: Component }
      components: Component[]
    }
    expect(faultsOf(bill)).toEqual([])
    expect(bill.metadata.component).toMatchObject({ name: 'atrium', version: '97.1.0' })
    expect(bill.components.map(({ purl }) => packageOf(purl)).sort()).toEqual(
      [...productionPackages(clone)].sort(),
    )
    for (const needed of ['jose', 'nodemailer', 'pg', '@img/sharp-linux-x64', '@atrium/server'])
      expect(text).toContain(`"purl": "pkg:npm/${needed.replace('@', '%40')}@`)
    expect(text).not.toContain('vitest')
    // of the lockfile alone: no address of a registry, no folder of this machine, and the same text every time
    expect(text).not.toMatch(/"distribution"|file:|\/tmp\//)
    expect(billOfMaterials(clone)).toBe(text)
    commit('Release 97.1.0')
    git('tag', '-a', 'v97.1.1', '-m', 'Another')
  })

  it('makes no release twice, and none of nothing', () => {
    expect(release('97.1.1')).toMatchObject({ status: 1, stderr: 'There is a tag v97.1.1 already\n' })
    expect(release('minor')).toMatchObject({ status: 1, stderr: 'CHANGELOG.md has nothing unreleased\n' })
    expect(changed()).toEqual([])
  })
})

const FORMAT = join(ROOT, 'node_modules/@cyclonedx/cyclonedx-library/res/schema')

/** By the schema of the format itself. */
function faultsOf(bill: object): unknown[] {
  const schemaOf = (name: string) => JSON.parse(readFileSync(join(FORMAT, name), 'utf8')) as object
  const ajv = new Ajv({ strict: false, allErrors: true })
  ;(addFormats as unknown as (to: Ajv) => void)(ajv)
  for (const form of ['iri-reference', 'idn-email']) ajv.addFormat(form, true)
  ajv.addSchema(
    schemaOf('jsf-0.82.SNAPSHOT.schema.json'),
    'http://cyclonedx.org/schema/jsf-0.82.SNAPSHOT.schema.json',
  )
  ajv.addSchema(
    schemaOf('spdx.SNAPSHOT.schema.json'),
    'http://cyclonedx.org/schema/spdx.SNAPSHOT.schema.json',
  )
  ajv.validate(schemaOf('bom-1.5.SNAPSHOT.schema.json'), bill)
  return ajv.errors ?? []
}
