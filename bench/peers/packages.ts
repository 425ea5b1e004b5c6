import { join } from 'node:path'
import { run } from '../../engines/commands.ts'
import { keep, keptAt } from '../../engines/kept.ts'

/** What other products are measured with, by exact version: in no `npm ci`, for they are many and only this asks for them. */
const PACKAGES = {
  'better-auth': '1.7.25',
  postgraphile: '5.1.5',
  'socket.io': '4.8.4',
  'socket.io-client': '4.8.4',
  '@socket.io/redis-adapter': '8.3.0',
  redis: '6.3.1',
} as const
/** What they depend on is what was there on this day. */
const AS_OF = '2026-11-30'
const NAME = `peers-${AS_OF}`

/**
 * Brings the packages of all peers, once for each machine.
 * @returns the folder with their `node_modules`: a peer's script gets it as an argument, and makes a `require` there
 * @throws Error where they cannot be had
 */
export async function peerPackages(): Promise<string> {
  const options = ['--ignore-scripts', '--no-save', '--no-audit', '--no-fund', '--before', AS_OF]
  const wanted = Object.entries(PACKAGES).map(([name, version]) => `${name}@${version}`)
  await keep(NAME, join('node_modules', 'better-auth', 'package.json'), async (draft) => {
    await run('npm', ['install', ...options, '--prefix', draft, ...wanted], { cwd: draft })
  })
  return keptAt(NAME, '')
}

/** Of a peer, for the table. */
export function peerVersion(name: keyof typeof PACKAGES): string {
  return PACKAGES[name]
}
