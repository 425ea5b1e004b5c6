import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { Check } from '../engine.ts'
import { eventually } from '../waiting.ts'
import { about, compose, containersOf, docker, inOffice } from './compose.ts'
import { OFFICE_URL } from './places.ts'
import type { Visitor } from './visitors.ts'

const REQUESTS_MIN = 100
const PAUSE_MS = 100

/** What an operator does with it, by the page of it. */
export async function tryOperation(member: Visitor, check: Check): Promise<void> {
  await check('a backup is made, and is whole', async () => {
    await inOffice('backup', '/data/backups/whole')
    const manifest = await compose('exec', '-T', 'atrium', 'cat', '/data/backups/whole/manifest.json')
    assert.ok(JSON.parse(manifest))
  })
  await check('a proxy in a second common network is named by the doctor', () => confuseProxy(member))
  await check('--scale atrium=2: both nodes are healthy', async () => {
    await compose('up', '--detach', '--wait', '--scale', 'atrium=2')
    assert.equal((await containersOf('atrium')).length, 2)
  })
  await check('each node is restarted while requests flow, and none is refused', () => restartEach(member))
  await check('told to stop, the nodes end by themselves', async () => {
    await compose('stop')
    for (const container of await containersOf('atrium'))
      assert.equal(await about(container, '{{.State.ExitCode}}'), '0')
  })
}

/** Docker takes the other network then, and its addresses are not believed. */
async function confuseProxy({ client }: Visitor): Promise<void> {
  const [proxy = ''] = await containersOf('proxy')
  await docker('network', 'connect', 'atrium_outside', proxy)
  try {
    // Caddy asks Docker for the name again every two seconds
    await eventually(
      'the doctor names it',
      async () => {
        await client.call('getCurrentUser')
        return /^[!✗].*prox/im.test(await inOffice('doctor').catch((error: Error) => error.message))
      },
      { withinMs: 90_000, everyMs: 2_000 },
    )
  } finally {
    await docker('network', 'disconnect', 'atrium_outside', proxy)
  }
}

async function restartEach(member: Visitor): Promise<void> {
  const stop = new AbortController()
  const live = () => member.fetch(`${OFFICE_URL}/health/live`).then(({ status }) => String(status))
  const own = () => member.client.request('getCurrentUser').then(({ status }) => String(status))
  const flows = [flow(live, stop.signal), flow(own, stop.signal)]
  try {
    for (const container of await containersOf('atrium')) {
      await docker('restart', '--time', '70', container)
      const isHealthy = async () => (await about(container, '{{.State.Health.Status}}')) === 'healthy'
      await eventually('the node is healthy again', isHealthy, { withinMs: 120_000, everyMs: 500 })
    }
  } finally {
    stop.abort()
  }
  const answers = (await Promise.all(flows)).flat()
  const refused = answers.filter((answer) => answer !== '200')
  console.error(
    `  - docker: ${answers.length} requests while both nodes restarted, ${refused.length} refused`,
  )
  assert.ok(answers.length >= REQUESTS_MIN, `only ${answers.length} requests`)
  assert.deepEqual([...new Set(refused)], [], `${refused.length} of ${answers.length}`)
}

/** Asks again and again. @returns what came of each request */
async function flow(ask: () => Promise<string>, stop: AbortSignal): Promise<string[]> {
  const answers: string[] = []
  while (!stop.aborted) {
    answers.push(await ask().catch((error: Error) => `${error.message} ${error.cause ?? ''}`))
    await pause(PAUSE_MS)
  }
  return answers
}
