import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { eventually } from '../until.ts'
import { KEPT_AT_CRASH, openBreakableDatabase } from './breakable-database.ts'
import { type Guest, type OfficeProcess, type ProcessHarness, signUpAt } from './office-process.ts'
import { openProxy } from './proxy.ts'
import { emptyLedger, expectAllOf, keepWriting, type Ledger } from './write-ledger.ts'

export interface TwoNodeOptions {
  rounds: number
  onRound?: (figures: Readonly<TwoNodeFigures>) => void
  /** In place of Math.random. */
  chance?: () => number
}

export interface TwoNodeFigures {
  rounds: number
  /** Of nodes; in some rounds both are struck, or the database. */
  kills: number
  databaseCrashes: number
  /** Writes that were answered 2xx; all of them are there. */
  acknowledged: number
  /** Answered 502 or 503. */
  refused: number
  /** Requests to a first node that was not there, which the proxy has brought to the other one. */
  retries: number
  slowestStartMs: number
}

const WRITERS = 8
const WRITES_BEFORE_KILL = 30
const WRITES_AFTER_KILL = 10
const BOTH_EVERY = 5
const DATABASE_EVERY = 4
/** Each writer founds organizations without end, and all of them are told of each change of their name. */
const NEW_WRITERS_EVERY = 25
const WITHIN_MS = 120_000

/** Both are ready with a broker that is away; of two with the embedded one, one would not be. Their events wait in the outbox. */
export const BROKER_THAT_IS_AWAY = {
  BROKER: 'centrifugo',
  BROKER_TOKEN_SECRET: 'a secret for tokens that nobody will check',
  BROKER_PROXY_SECRET: 'a secret for a proxy that will never ask',
  CENTRIFUGO_API_KEY: 'a key that nobody will ever look at',
  CENTRIFUGO_API_URL: 'http://127.0.0.1:9',
  BROKER_PUBLIC_URL: 'ws://127.0.0.1:9/connection/websocket',
}

/**
 * Two nodes on one database behind one proxy, under writes. In each round a node is killed at a random moment, in some
 * both of them or the database as well, and started again; then everything acknowledged is read back: in each round what
 * its writers have done so far, at the end what all have done.
 * @throws where any of it is missing, or there twice
 */
export async function killTwoNodes(
  processes: ProcessHarness,
  { rounds, onRound, chance = Math.random }: TwoNodeOptions,
): Promise<TwoNodeFigures> {
  const database = await openBreakableDatabase(await processes.folder(), KEPT_AT_CRASH)
  const settings = { DATABASE_URL: database.connectionString, ...BROKER_THAT_IS_AWAY }
  const serve = () => processes.serve({ settings })
  const nodes: OfficeProcess[] = [await serve(), await serve()]
  const proxy = await openProxy(nodes.map(({ url }) => url))
  const figures: TwoNodeFigures = {
    rounds: 0,
    kills: 0,
    databaseCrashes: 0,
    acknowledged: 0,
    refused: 0,
    retries: 0,
    slowestStartMs: 0,
  }
  try {
    let guests: Guest[] = []
    const ledgers: Ledger[] = []
    for (let round = 1; round <= rounds; round++) {
      if (round % NEW_WRITERS_EVERY === 1) {
        guests = await Promise.all(Array.from({ length: WRITERS }, () => signUpAt(proxy.url)))
        ledgers.push(emptyLedger())
      }
      const ledger = ledgers.at(-1) as Ledger
      const ended = new AbortController()
      const before = ledger.count
      const writing = Promise.all(
        guests.map((guest, at) =>
          keepWriting(proxy.url, guest, {
            ledger,
            lane: `${round}-${at}`,
            ended: ended.signal,
            goesOn: true,
          }),
        ),
      )
      const written = (count: number) =>
        eventually('people write', WITHIN_MS, () => ledger.count >= before + count)
      await written(WRITES_BEFORE_KILL)
      await pause(chance() * 300)
      const isOfBoth = round % BOTH_EVERY === 0
      const first = chance() < 0.5 ? 0 : 1
      const struck = isOfBoth ? [0, 1] : [first]
      for (const at of struck) nodes[at]?.kill('SIGKILL')
      figures.kills += struck.length
      if (round % DATABASE_EVERY === 0) {
        await database.crash()
        figures.databaseCrashes += 1
      }
      // the one that is left goes on meanwhile
      if (!isOfBoth) await written(WRITES_BEFORE_KILL + WRITES_AFTER_KILL)
      for (const at of struck) {
        await nodes[at]?.ended
        const began = performance.now()
        nodes[at] = await serve()
        figures.slowestStartMs = Math.max(figures.slowestStartMs, performance.now() - began)
      }
      proxy.lead(nodes.map(({ url }) => url))
      await written(WRITES_BEFORE_KILL + 2 * WRITES_AFTER_KILL)
      ended.abort()
      await writing
      for (const { url } of nodes) await expectAllOf(ledger, url, database.connectionString)
      const sum = (what: 'count' | 'refused') => ledgers.reduce((all, one) => all + one[what], 0)
      const [acknowledged, refused, retries] = [sum('count'), sum('refused'), proxy.retries()]
      Object.assign(figures, { rounds: round, acknowledged, refused, retries })
      onRound?.(figures)
    }
    for (const ledger of ledgers) await expectAllOf(ledger, proxy.url, database.connectionString)
    for (const node of nodes) assert.deepEqual(await node.stop(), { code: 0, signal: null })
    return figures
  } finally {
    await proxy.close()
    await database.stop()
  }
}
