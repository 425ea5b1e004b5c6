import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../commands.ts'
import { keep, keptAt } from '../kept.ts'

/** Packages of npm by version, kept, and none of them installed beside the product. @returns the folder of modules */
export async function npmPackages(dependencies: Readonly<Record<string, string>>): Promise<string> {
  const digest = createHash('sha256').update(JSON.stringify(dependencies)).digest('hex').slice(0, 12)
  const name = `clients-npm-${digest}`
  await keep(name, 'node_modules', async (draft) => {
    await writeFile(join(draft, 'package.json'), JSON.stringify({ private: true, dependencies }))
    await run('npm', ['install', '--silent', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: draft })
  })
  return keptAt(name, 'node_modules')
}
