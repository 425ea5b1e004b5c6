import { run } from '../commands.ts'
import { keptAt } from '../kept.ts'
import { COMPOSE } from './compose-program.ts'

/** As an operator types it: which daemon, file and settings are in the environment. @returns what it printed */
export const compose = (...args: string[]) => run(COMPOSE, args)
export const docker = (...args: string[]) => run(keptAt('docker.io', 'usr/bin/docker'), args)

/** Runs a command of the office in one of its containers. */
export const inOffice = (...args: string[]) =>
  compose('exec', '-T', 'atrium', 'node', 'server/bin/atrium.js', ...args)

/** The containers of a service, those that have ended too. */
export async function containersOf(service: string): Promise<string[]> {
  return (await compose('ps', '--all', '--quiet', service)).split('\n').filter(Boolean)
}

export async function about(container: string, format: string): Promise<string> {
  return (await docker('container', 'inspect', '--format', format, container)).trim()
}
