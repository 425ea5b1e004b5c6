/** A file that says which version this is, and how it is made to say another. */
export interface VersionPlace {
  /** From the root of the repository. */
  path: string
  /** @throws Error where the text does not say the version as it should */
  change(text: string, from: string, to: string): string
}

interface Lockfile {
  version: string
  packages: Record<string, { version?: string }>
}

/**
 * Everything that is written by hand and names the version of this release; what is generated follows from it.
 * @param workspaces folders of the workspaces
 */
export function versionPlaces(workspaces: readonly string[]): VersionPlace[] {
  const manifests = ['', ...workspaces.map((folder) => `${folder}/`)].map((folder) => {
    const path = `${folder}package.json`
    return said(path, (version) => `\n  "version": "${version}",`)
  })
  return [
    ...manifests,
    { path: 'package-lock.json', change: (text, from, to) => inLockfile(text, workspaces, from, to) },
    said('README.md', (version) => `Atrium ${version} is open at`),
    said('examples/package.json', (version) => `-${version}.tgz`),
    said('docs/front-end.md', (version) => `-${version}.tgz`),
    said('deploy/helm/atrium/Chart.yaml', (version) => `\nversion: ${version}\n`),
    said('deploy/helm/atrium/Chart.yaml', (version) => `\nappVersion: "${version}"\n`),
    said('deploy/compose/compose.yaml', (version) => `image: atrium:${version}\n`),
  ]
}

function said(path: string, phrase: (version: string) => string): VersionPlace {
  return {
    path,
    change(text, from, to) {
      if (!text.includes(phrase(from)))
        throw new Error(`${path} does not say ${JSON.stringify(phrase(from))}`)
      return text.replaceAll(phrase(from), phrase(to))
    },
  }
}

function inLockfile(text: string, workspaces: readonly string[], from: string, to: string): string {
  const lockfile = JSON.parse(text) as Lockfile
  const entries = ['', ...workspaces].map((folder) => lockfile.packages[folder])
  for (const entry of [lockfile, ...entries]) {
    if (entry?.version !== from) throw new Error(`package-lock.json is not of ${from}: npm install`)
    entry.version = to
  }
  return `${JSON.stringify(lockfile, null, 2)}\n`
}
