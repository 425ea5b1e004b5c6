import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { Check } from '../engine.ts'
import { eventually } from '../waiting.ts'
import { about, compose, containersOf, docker, inOffice } from './compose.ts'
import { HOSTS } from './places.ts'
import type { Visitor } from './visitors.ts'

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

/** Docker’s choice is the other network then, whose addresses are not believed. */
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

async function restartEach({ fetch }: Visitor): Promise<void> {
  const answers: string[] = []
  const stop = new AbortController()
  const flow = async () => {
    while (!stop.signal.aborted) {
      const answer = fetch(`https://${HOSTS.OFFICE_HOST}/health/live`)
      answers.push(
        await answer.then(
          async (response) => `${response.status}${(await response.text()).slice(0, 0)}`,
          (error: Error) => `${error.message} ${error.cause ?? ''}`,
        ),
      )
      await pause(50)
    }
  }
  const flows = [flow(), flow()]
  try {
    for (const container of await containersOf('atrium')) {
      await docker('restart', '--time', '70', container)
      const isHealthy = async () => (await about(container, '{{.State.Health.Status}}')) === 'healthy'
      await eventually('the node is healthy again', isHealthy, { withinMs: 120_000, everyMs: 500 })
    }
  } finally {
    stop.abort()
    await Promise.all(flows)
  }
  assert.ok(answers.length > 50, `only ${answers.length} requests`)
  const refused = answers.filter((answer) => answer !== '200')
  assert.deepEqual([...new Set(refused)], [], `${refused.length} of ${answers.length}`)
  console.error(
    `  - docker: ${answers.length} requests while both nodes were restarted, ${refused.length} refused`,
  )
}
