import assert from 'node:assert/strict'
import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '../commands.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** A project outside the repository, with our packages as npm installs them. */
export interface Project {
  folder: string
}

/** Builds the packages, and installs the examples beside them as a developer would who has only the tarballs. */
export async function freshProject(home: string): Promise<Project> {
  const packed = join(home, '.packages')
  const output = await run(process.execPath, [join(ROOT, 'scripts/build-packages.ts'), packed])
  for (const tarball of output.match(/^\S+\.tgz$/gm) ?? []) {
    const names = (await run('tar', ['-tzf', tarball])).trim().split('\n')
    assert.ok(names.includes('package/README.md') && names.includes('package/LICENSE'), names.join('\n'))
    assert.deepEqual(
      names.filter(
        (name) =>
          !/^package\/(dist\/([\w-]+\/)?[\w-]+\.(js|d\.ts)|README\.md|LICENSE|package\.json)$/.test(name),
      ),
      [],
    )
    assert.deepEqual(
      names.filter((name) => name.includes('.test.')),
      [],
    )
  }
  const folder = join(home, 'examples')
  await mkdir(folder)
  await cp(join(ROOT, 'examples'), folder, {
    recursive: true,
    filter: (path) => !/[\\/](node_modules|dist)$/.test(path),
  })
  await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline'], { cwd: folder })
  return { folder }
}

/** The compiler that this repository uses. */
export const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc')
