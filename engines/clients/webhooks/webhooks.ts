import assert from 'node:assert/strict'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createAtriumClient, createCookieJar } from '@atrium/client'
import { run } from '../../commands.ts'
import { openOwnServer } from '../../own-server.ts'
import type { Ends } from '../../processes.ts'
import { eventually } from '../../waiting.ts'
import { buildGo, buildJava, buildRust, type Command, pythonWith, sourceOf } from '../toolchains.ts'
import type { OfficeOfWalks, Walk } from '../walk.ts'

/** The reference libraries of Standard Webhooks: each takes a delivery, and refuses it where a letter of it is another. */

const [PYTHON, GO, RUST, JAVA] = ['1.1.0', 'v0.0.1', '1.0.1', '1.2.0']
const EVENT = 'room.created'

export const WEBHOOKS: readonly Walk[] = [
  {
    software: `standardwebhooks ${PYTHON} (Python)`,
    needs: 'python3',
    async walk(office) {
      const interpreter = await pythonWith([`standardwebhooks==${PYTHON}`])
      await verifies(office, [interpreter, sourceOf('webhooks/verify.py')])
    },
  },
  {
    software: `standard-webhooks ${GO} (Go)`,
    needs: 'go',
    async walk(office, folder) {
      await copyFile(sourceOf('webhooks/verify.go'), join(folder, 'verify.go'))
      const modules = [`github.com/standard-webhooks/standard-webhooks/libraries ${GO}`]
      await verifies(office, await buildGo(folder, modules))
    },
  },
  {
    software: `standardwebhooks ${RUST} (Rust)`,
    needs: 'cargo',
    async walk(office, folder) {
      const crates = ['http = "1"', 'serde_json = "1"', `standardwebhooks = "=${RUST}"`]
      await verifies(office, await buildRust(folder, sourceOf('webhooks/verify.rs'), crates))
    },
  },
  {
    software: `standardwebhooks ${JAVA} (Java)`,
    needs: 'mvn',
    async walk(office, folder) {
      const artifacts = [
        `com.standardwebhooks:standardwebhooks:${JAVA}`,
        'com.fasterxml.jackson.core:jackson-databind:2.19.2',
      ]
      await verifies(office, await buildJava(folder, sourceOf('webhooks/Verify.java'), artifacts))
    },
  },
]

interface Delivery {
  secret: string
  headers: Record<string, string>
  body: string
}

async function verifies(office: OfficeOfWalks, [program, ...args]: Command): Promise<void> {
  const delivery = await deliveryOf(office)
  const judge = (one: Delivery) => run(program, args, { env: { DELIVERY: JSON.stringify(one) } })
  assert.match(await judge(delivery), new RegExp(`verified: ${EVENT}\n`))
  await assert.rejects(judge({ ...delivery, body: delivery.body.replace('Delivered', 'delivered') }))
}

let made: Promise<Delivery> | undefined
const deliveryOf = (office: OfficeOfWalks) => (made ??= makeDelivery(office))

/** A webhook whose receiver agrees, and the first event that it is sent. */
async function makeDelivery({ url }: OfficeOfWalks): Promise<Delivery> {
  const office = createAtriumClient({ baseUrl: url, cookies: createCookieJar() })
  await office.call('devSignIn', {})
  let delivery: Omit<Delivery, 'secret'> | undefined
  const ends: Ends = []
  const port = await openOwnServer(ends, async (request, response) => {
    const body = await text(request)
    const { type, data } = JSON.parse(body)
    if (type === EVENT) delivery = { headers: request.headers as Record<string, string>, body }
    // a receiver that is asked whether it agrees says the challenge again
    response.setHeader('content-type', 'application/json').end(JSON.stringify(data ?? {}))
  })
  try {
    const address = `http://127.0.0.1:${port}/`
    const { id, secret } = await office.call('createWebhook', { url: address, events: [EVENT] })
    await eventually('the receiver has agreed', async () => {
      const { webhooks } = await office.call('listWebhooks')
      return webhooks.some((webhook) => webhook.id === id && webhook.state === 'verified')
    })
    await office.call('createRoom', { name: 'Delivered' })
    const sent = await eventually('it is delivered', () => delivery)
    await office.call('deleteWebhook', { id })
    return { secret, ...sent }
  } finally {
    for (const end of ends) await end()
  }
}
