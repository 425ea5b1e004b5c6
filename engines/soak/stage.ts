import { fileURLToPath } from 'node:url'
import type { AtriumClient } from '@atrium/client'
import { freePort } from '@atrium/embedded-postgres/free-port.ts'
import { startTemporaryCluster } from '@atrium/embedded-postgres/temporary-cluster.ts'
import { SECRETS } from '../centrifugo/conformance.ts'
import { type CentrifugoNode, startCentrifugo } from '../centrifugo/node.ts'
import { officeSettings } from '../centrifugo/office.ts'
import { signUp } from '../centrifugo/people.ts'
import { type Ends, start, untilAnswers } from '../processes.ts'
import { prepareRedis } from '../redis/redis.ts'

const ENTRY = fileURLToPath(new URL('../../server/bin/atrium.js', import.meta.url))

/** Two offices on one PostgreSQL, two Centrifugo nodes on one Redis: what is deployed, on one machine. */
export interface Stage {
  /** Of the two offices. */
  offices: readonly [string, string]
  brokers: readonly [CentrifugoNode, CentrifugoNode]
}

export async function openStage(folder: string, ends: Ends): Promise<Stage> {
  const cluster = await startTemporaryCluster()
  ends.push(cluster.stop)
  const { url: redisUrl } = await prepareRedis(folder, ends)
  const [publicPort, apiPort] = [await freePort(), await freePort()]
  const open = async (name: string) => {
    const port = await freePort()
    const url = `http://localhost:${port}`
    const settings = {
      ...officeSettings({ port, dataDir: `${folder}/${name}`, apiPort, publicPort }),
      DATABASE_URL: cluster.connectionString,
    }
    start(process.execPath, ['--no-warnings', ENTRY, 'serve'], settings, ends)
    await untilAnswers(`${url}/health/live`)
    return url
  }
  const offices = [await open('one'), await open('other')] as const
  const broker = (office: string, ports?: { port: number; internalPort: number }) =>
    startCentrifugo(
      {
        folder,
        redisUrl,
        secrets: SECRETS,
        databaseUrl: cluster.connectionString,
        proxyUrl: `${office}/internal/broker/subscribe`,
        ...(ports && { ports }),
      },
      ends,
    )
  const first = await broker(offices[0], { port: publicPort, internalPort: apiPort })
  return { offices, brokers: [first, await broker(offices[1])] }
}

/** A member with a program at each of the offices. */
export interface Person {
  id: string
  organization: string
  client: AtriumClient
}

const COMPANY = 50

/** People of companies of fifty, at the offices in turn. */
export async function employ({ offices }: Stage, count: number): Promise<Person[]> {
  const people: Person[] = []
  let inviteToken = ''
  while (people.length < count) {
    const client = await signUp(offices[people.length % 2 ? 1 : 0])
    if (people.length % COMPANY === 0) {
      await client.call('createOrganization', { name: `Company ${people.length / COMPANY}` })
      const { inviteLink } = await client.call('getInviteLink')
      inviteToken = new URL(inviteLink).searchParams.get('invite_token') ?? ''
    } else await client.call('joinOrganization', { inviteToken })
    const { token } = await client.call('mintConnectionToken')
    const { sub, meta } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
      sub: string
      meta: { org: string }
    }
    people.push({ id: sub, organization: meta.org, client })
  }
  return people
}
