import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'

/**
 * What prom-client's own guide shows: bare node:http that renders a registry and compresses it at each scrape. It holds
 * the series of a page that it reads from a file. Run by prom-client.ts: port and file as arguments.
 */

const [port, file = ''] = process.argv.slice(2)

/** As quick and as large as the office's own. */
const LEVEL = 1

interface Line {
  /** As it stands, with `_bucket`, `_sum` or `_count` where a histogram has it. */
  name: string
  labels: Record<string, string>
  value: number
}

interface Family {
  name: string
  help: string
  type: string
  lines: Line[]
}

function familiesOf(page: string): Family[] {
  const families: Family[] = []
  let help = ''
  for (const line of page.split('\n').filter(Boolean)) {
    const [, about, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) ?(.*)$/.exec(line) ?? []
    if (about === 'HELP') help = rest
    else if (about === 'TYPE') families.push({ name, help, type: rest, lines: [] })
    else if (!line.startsWith('#')) families.at(-1)?.lines.push(lineOf(line))
  }
  return families
}

function lineOf(line: string): Line {
  const [, name = '', labels = '', value] = /^([^{ ]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
  const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)]
  const plain = (text: string) => text.replace(/\\(.)/g, (_, sign) => (sign === 'n' ? '\n' : sign))
  return {
    name,
    labels: Object.fromEntries(pairs.map(([, key = '', text = '']) => [key, plain(text)])),
    value: Number(value),
  }
}

const registry = new Registry()

function register(family: Family): void {
  const { name, help, type, lines } = family
  const labelNames = [...new Set(lines.flatMap(({ labels }) => Object.keys(labels)))]
  const settings = { name, help, labelNames, registers: [registry] }
  if (type === 'histogram') registerHistogram(family)
  else if (type === 'counter') {
    const counter = new Counter(settings)
    for (const { labels, value } of lines) counter.inc(labels, value)
  } else {
    const gauge = new Gauge(settings)
    for (const { labels, value } of lines) gauge.set(labels, value)
  }
}

/** Observes as many values in each bucket as the page counts there: only the sums come out as others. */
function registerHistogram({ name, help, lines }: Family): void {
  const counts = lines.filter((line) => line.name === `${name}_bucket`)
  const bounds = [...new Set(counts.map(({ labels }) => Number(labels.le)))].filter(Number.isFinite)
  const labelNames = [...new Set(counts.flatMap(({ labels }) => Object.keys(labels)))]
  const histogram = new Histogram({
    ...{ name, help, registers: [registry] },
    labelNames: labelNames.filter((label) => label !== 'le'),
    buckets: bounds,
  })
  let seen = 0
  for (const { labels, value } of counts) {
    const { le, ...own } = labels
    if (Number(le) === bounds[0]) {
      seen = 0
      histogram.zero(own)
    }
    const within = le === '+Inf' ? Number.MAX_VALUE : Number(le)
    for (; seen < value; seen += 1) histogram.observe(own, within)
  }
}

// one that has no line yet would show a zero here
for (const family of familiesOf(readFileSync(file, 'utf8'))) if (family.lines.length > 0) register(family)

const compress = promisify(gzip)
const server = createServer(async ({ url }, response) => {
  if (url !== '/metrics') return response.end()
  const body = await compress(await registry.metrics(), { level: LEVEL })
  const headers = { 'content-type': registry.contentType, 'content-encoding': 'gzip' }
  response.writeHead(200, { ...headers, 'content-length': body.length }).end(body)
})

process.once('disconnect', () => process.exit(0))
process.once('SIGTERM', () => process.exit(0))
server.listen(Number(port), '127.0.0.1')
