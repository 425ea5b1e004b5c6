const UNRELEASED = '## Unreleased\n'

/**
 * What was unreleased is of a release from here on, and nothing is unreleased.
 * @param date `2026-11-23`
 * @throws Error where there is nothing to release
 */
export function withRelease(changelog: string, version: string, date: string): string {
  const at = changelog.indexOf(UNRELEASED)
  if (at < 0) throw new Error(`CHANGELOG.md has no "${UNRELEASED.trim()}"`)
  const below = changelog.slice(at + UNRELEASED.length)
  if (!/^- /m.test(sectionOf(below))) throw new Error('CHANGELOG.md has nothing unreleased')
  const heading = `## ${version} - ${date}\n`
  if (changelog.includes(`\n## ${version} `)) throw new Error(`CHANGELOG.md has a release ${version} already`)
  return `${changelog.slice(0, at)}${UNRELEASED}\n${heading}${below}`
}

/** Versions that were released, newest first. */
export function releasedVersions(changelog: string): string[] {
  return [...changelog.matchAll(/^## (\d+\.\d+\.\d+) - \d{4}-\d\d-\d\d$/gm)].map(
    ([, version = '']) => version,
  )
}

function sectionOf(below: string): string {
  const end = below.search(/^## /m)
  return end < 0 ? below : below.slice(0, end)
}
