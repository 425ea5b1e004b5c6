import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import type { Benchmark, Sample } from '../benchmark.ts'
import { BYTES_MIN, fill, read, untilWhole } from '../metrics-scrape.ts'
import { prepareOffice } from '../office.ts'
import { openBare, openContest, pinSides } from '../opening.ts'
import { processorTimeOfThreads } from '../processor-time.ts'

const SERVER = fileURLToPath(new URL('prom-client-server.ts', import.meta.url))
const ORGANIZATIONS = 1_000
const SCRAPES = 8
const WARM_UP_SCRAPES = 30
/** So that the office makes its part of the node anew for each scrape. */
const BETWEEN_MS = 1_100

const { version } = createRequire(import.meta.url)('prom-client/package.json') as { version: string }

export const peerPromClient: Benchmark = {
  name: 'peer-prom-client',
  describe: `processor time of one GET /metrics, compressed, of ${ORGANIZATIONS} active organizations: ours sends the text that it has rendered and compressed in the background, once for each refresh, which is not counted here, and makes the part of its node anew; bare node:http with prom-client ${version} renders and compresses the same series (histograms as histograms) at each scrape`,
  unit: 'ms',
  goal: { ratioMax: 0.04 },
  prepare: () =>
    openContest(async (ends) => {
      const office = await prepareOffice({ METRICS_REFRESH_SECONDS: '86400', MEDIA_SWEEP_SECONDS: '0' })
      ends.push(() => office.remove())
      const production = await office.start('production')
      ends.push(() => production.stop())
      await fill(await office.databaseUrl(), ORGANIZATIONS)
      const ours = `${office.url.replace('localhost', '127.0.0.1')}/metrics`
      const page = gunzipSync(await untilWhole(ours, ORGANIZATIONS * BYTES_MIN)).toString()

      const folder = await mkdtemp(join(tmpdir(), 'atrium-bench-prom-client-'))
      ends.push(() => rm(folder, { recursive: true, force: true }))
      const file = join(folder, 'page.txt')
      await writeFile(file, page)
      const bare = await openBare(ends, SERVER, [file])
      const theirs = `${bare.base}/metrics`
      const other = gunzipSync(await read(theirs)).toString()
      assert.deepEqual(seriesOf(other), seriesOf(page), 'both sides tell of the same series')

      pinSides(ends, production, bare)
      for (const url of [ours, theirs])
        for (let count = 0; count < WARM_UP_SCRAPES; count += 1) await read(url)
      return { subject: () => scrapes(ours, production.pid), baseline: () => scrapes(theirs, bare.pid) }
    }),
}

/** Names and labels, in an order of our own. */
function seriesOf(page: string): string[] {
  const lines = page.split('\n').filter((line) => line && !line.startsWith('#'))
  return lines
    .map((line) => {
      const [, name, labels = ''] = /^([^{ ]+)(?:\{(.*)\})? \S+$/.exec(line) ?? []
      return `${name} ${(labels.match(/\w+="(?:[^"\\]|\\.)*"/g) ?? []).sort().join()}`
    })
    .sort()
}

async function scrapes(url: string, pid: number): Promise<Sample> {
  const used = () => (processorTimeOfThreads(pid) ?? Number.NaN) / 1_000
  let [spent, waited, bytes] = [0, 0, 0]
  for (let count = 0; count < SCRAPES; count += 1) {
    await pause(BETWEEN_MS)
    const [before, began] = [used(), performance.now()]
    bytes = (await read(url)).length
    waited += performance.now() - began
    spent += used() - before
  }
  return {
    value: spent / SCRAPES,
    details: { 'answer ms': waited / SCRAPES, 'compressed KB': bytes / 1_024 },
  }
}
