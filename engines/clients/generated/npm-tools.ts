import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../../commands.ts'
import { keep, keptAt } from '../../kept.ts'

/** What is brought from npm, and kept: nothing of it is installed beside the product. */
export const NODE_TOOLS = {
  'openapi-typescript': '7.13.0',
  'openapi-fetch': '0.17.0',
  '@hey-api/openapi-ts': '0.95.0',
  '@redocly/cli': '2.77.0',
  '@stoplight/spectral-cli': '6.16.3',
  '@types/node': '26.6.6',
  // what the generators ask for beside them
  typescript: '5.9.3',
} as const

const NAME = `clients-npm-${Object.values(NODE_TOOLS).join('-')}`

/** @param folder where modules are then found @returns where its programs are */
export async function npmTools(folder: string): Promise<{ bin(name: string): string }> {
  await keep(NAME, 'node_modules/.bin/openapi-ts', async (draft) => {
    await writeFile(join(draft, 'package.json'), JSON.stringify({ private: true, dependencies: NODE_TOOLS }))
    await run('npm', ['install', '--silent', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: draft })
  })
  await symlink(keptAt(NAME, 'node_modules'), join(folder, 'node_modules'))
  return { bin: (name) => keptAt(NAME, `node_modules/.bin/${name}`) }
}
