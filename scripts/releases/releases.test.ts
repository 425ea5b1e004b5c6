import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { releasedVersions, withRelease } from './changelog.ts'
import { nextVersion } from './version.ts'
import { versionPlaces } from './version-places.ts'

const ROOT = join(import.meta.dirname, '../..')

describe('the next version', () => {
  it.each([
    ['patch', '1.2.4'],
    ['minor', '1.3.0'],
    ['major', '2.0.0'],
    ['1.2.4', '1.2.4'],
    ['1.10.0', '1.10.0'],
    ['2.0.0', '2.0.0'],
  ])('%s', (asked, next) => {
    expect(nextVersion('1.2.3', asked)).toBe(next)
  })

  it.each(['1.2.3', '1.2.2', '1.1.9', '0.9.9', 'v1.3.0', '1.3', '1.3.0-rc.1', '01.3.0', '', 'toString'])(
    'refused: %s',
    (asked) => {
      expect(() => nextVersion('1.2.3', asked)).toThrow(/does not come after|is no version/)
    },
  )
})

describe('the changelog', () => {
  const before = '# Changelog\n\n## Unreleased\n\n### Added\n- A.\n\n## 0.1.0 - 2026-11-22\n\n- First.\n'

  it('has what was unreleased under the release, and nothing unreleased', () => {
    const after = withRelease(before, '0.2.0', '2026-12-01')
    expect(after).toBe(
      '# Changelog\n\n## Unreleased\n\n## 0.2.0 - 2026-12-01\n\n### Added\n- A.\n\n## 0.1.0 - 2026-11-22\n\n- First.\n',
    )
    expect(releasedVersions(after)).toEqual(['0.2.0', '0.1.0'])
    expect(() => withRelease(after, '0.3.0', '2026-12-02')).toThrow('nothing unreleased')
  })

  it('is of no release twice, and of none without its heading', () => {
    expect(() => withRelease(before, '0.1.0', '2026-12-01')).toThrow('already')
    expect(() => withRelease('# Changelog\n', '0.2.0', '2026-12-01')).toThrow('## Unreleased')
  })
})

describe('what names the version', () => {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    version: string
    workspaces: string[]
  }
  const places = versionPlaces(manifest.workspaces)

  it.each(places.map((place, at) => [place.path, at] as const))('%s (%i)', (path, at) => {
    const text = readFileSync(join(ROOT, path), 'utf8')
    const change = places[at]?.change as (typeof places)[number]['change']
    const changed = change(text, manifest.version, '98.7.6')
    expect(changed).toContain('98.7.6')
    // there and back is the text as it was: nothing else of it has changed
    expect(change(changed, '98.7.6', manifest.version)).toBe(text)
    expect(() => change(text, '98.7.6', '98.7.7')).toThrow(path)
  })
})
