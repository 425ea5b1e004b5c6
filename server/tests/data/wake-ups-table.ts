import pg from 'pg'
import { pino } from 'pino'
import { readCommandLine } from '../../../scripts/command-line.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { testCluster } from '../run/test-cluster.ts'

const NODES = [1, 4, 8]
const WRITERS = 8
/** One mode after the other, over and over: what else the machine does comes to all of them. */
const ROUNDS = 10
const ROUND_MS = 400
const CHANNELS = ['centrifugo_partition_change', 'organization_told']

const trigger = (body: string) => `create or replace function wake() returns trigger language plpgsql as $$
  begin ${body} return null; end $$;
  drop trigger if exists centrifugo_outbox_appended on centrifugo_outbox;
  create trigger centrifugo_outbox_appended after insert on centrifugo_outbox for each row execute function wake()`
const OF_PARTITION = `perform pg_notify('centrifugo_partition_change', new.partition::text);`
const MODES = [
  trigger(''),
  trigger(OF_PARTITION),
  `drop trigger centrifugo_outbox_appended on centrifugo_outbox;
   create trigger centrifugo_outbox_appended after insert on centrifugo_outbox
     for each row execute function notify_outbox()`,
]

readCommandLine({
  usage: `npx node server/tests/data/wake-ups-table.ts

Commits a second of ${WRITERS} connections that append one event each to the outbox, with ${NODES.join(', ')} nodes that listen, without
notifications, with those of partitions, and with those of organizations as well. It takes no arguments (docs/operations/scale.md).`,
})

const cluster = await testCluster()
const { connectionString } = cluster
const clients: pg.Client[] = []
const connected = async () => {
  const client = new pg.Client({ connectionString })
  client.on('error', () => {})
  await client.connect()
  clients.push(client)
  return client
}
try {
  await migrate(connectionString, pino({ level: 'silent' }))
  const writers = await Promise.all(Array.from({ length: WRITERS }, connected))
  const admin = await connected()
  let listening = 0
  console.log('| nodes that listen | none | of the partition alone | of partition and organization |')
  console.log('|--:|--:|--:|--:|')
  for (const nodes of NODES) {
    for (; listening < nodes; listening += 1) {
      const node = await connected()
      for (const channel of CHANNELS) await node.query(`listen ${channel}`)
    }
    const commits = MODES.map(() => 0)
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [place, mode] of MODES.entries()) {
        await admin.query(mode)
        commits[place] = (commits[place] ?? 0) + (await commitsOf(writers))
        await admin.query('truncate centrifugo_outbox')
      }
    const figures = commits.map((count) => Math.round((count * 1_000) / (ROUNDS * ROUND_MS)))
    console.log(`| ${nodes} | ${figures.map((one) => one.toLocaleString('en')).join(' | ')} |`)
  }
} finally {
  for (const client of clients) await client.end()
  await cluster.stop()
}

async function commitsOf(writers: readonly pg.Client[]): Promise<number> {
  const until = performance.now() + ROUND_MS
  const counts = await Promise.all(writers.map((writer, number) => write(writer, number, until)))
  return counts.reduce((sum, count) => sum + count, 0)
}

async function write(writer: pg.Client, number: number, until: number): Promise<number> {
  const text = 'insert into centrifugo_outbox (method, payload, partition) values ($1, $2, $3)'
  const payload = JSON.stringify({ channel: `org:org_${number}`, data: { type: 'a', data: {} } })
  let count = 0
  for (; performance.now() < until; count += 1)
    await writer.query({ name: 'append', text, values: ['publish', payload, number % 4] })
  return count
}
