import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createAtriumClient, createCookieJar } from '@atrium/client'
import { eventually } from '../../waiting.ts'
import { buildGo, buildJava, type Command, pythonWith, sourceOf } from '../toolchains.ts'
import type { OfficeOfWalks, Walk } from '../walk.ts'

/** Centrifugo's own clients, in both encodings of its protocol: each hears that a room is made. */

const [PYTHON, GO, JAVA] = ['0.7.0', '0.12.1', '0.4.1']
const WITHIN_MS = 60_000
let rooms = 0

const python = (encoding: 'json' | 'protobuf'): Walk => ({
  software: `centrifuge-python ${PYTHON}, ${encoding}`,
  needs: 'python3',
  async walk(office) {
    const interpreter = await pythonWith([`centrifuge-python==${PYTHON}`])
    await hears(office, [interpreter, sourceOf('realtime/listen.py'), encoding])
  },
})

const go = (encoding: 'json' | 'protobuf'): Walk => ({
  software: `centrifuge-go ${GO}, ${encoding}`,
  needs: 'go',
  async walk(office, folder) {
    await copyFile(sourceOf('realtime/listen.go'), join(folder, 'listen.go'))
    const command = await buildGo(folder, [`github.com/centrifugal/centrifuge-go v${GO}`])
    await hears(office, [...command, encoding])
  },
})

export const REALTIME: readonly Walk[] = [
  python('json'),
  python('protobuf'),
  go('json'),
  go('protobuf'),
  {
    software: `centrifuge-java ${JAVA}, protobuf`,
    needs: 'mvn',
    async walk(office, folder) {
      const artifacts = [`io.github.centrifugal:centrifuge-java:${JAVA}`]
      await hears(office, await buildJava(folder, sourceOf('realtime/Listen.java'), artifacts))
    },
  },
]

/** The program connects, a room is made, and the program tells its name. */
async function hears({ url }: OfficeOfWalks, [program, ...args]: Command): Promise<void> {
  const office = createAtriumClient({ baseUrl: url, cookies: createCookieJar() })
  await office.call('devSignIn', {})
  const ticket = await office.call('mintConnectionToken')
  const listener = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, URL: ticket.url, TOKEN: ticket.token },
    timeout: WITHIN_MS,
  })
  let said = ''
  listener.stdout.on('data', (chunk) => (said += String(chunk)))
  const { promise: ended, resolve, reject } = Promise.withResolvers<number | null>()
  listener.once('error', reject)
  listener.once('close', resolve)
  await eventually('it connects', () => said.includes('connected') || listener.exitCode !== null)
  rooms += 1
  await office.call('createRoom', { name: `Heard ${rooms}` })
  assert.equal(await ended, 0, said)
  assert.match(said, new RegExp(`heard: Heard ${rooms}\n`))
}
