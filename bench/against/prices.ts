import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const PRICES = fileURLToPath(new URL('../prices.md', import.meta.url))
const MARK = /^Mark: `([0-9a-f]{8,40})`/m
/** | benchmark | ratio | commit | what for | */
const PRICE = /^\| `([a-z-]+)` \| (0\.\d+) \| `[0-9a-f]{8,40}` \| \S.* \|$/
const HEADING = /^## Bought since the mark\n/m

export interface Prices {
  /** Commit that everything is measured against. */
  mark: string
  /** By benchmark, earlier by now: what its requests may cost more than at the mark. */
  bought: Map<string, number>
}

export function readPrices(text: string = readFileSync(PRICES, 'utf8')): Prices {
  const mark = MARK.exec(text)?.[1]
  if (!mark) throw new Error('bench/prices.md names no mark')
  const bought = new Map<string, number>()
  const [, section = ''] = text.split(HEADING)
  // without the heads of the table
  for (const line of section.split('\n').filter((one) => one.startsWith('| `'))) {
    const [, name, ratio] = PRICE.exec(line) ?? []
    if (name === undefined) throw new Error(`bench/prices.md has a line that is no price: ${line}`)
    bought.set(name, (bought.get(name) ?? 1) * Number(ratio))
  }
  return { mark, bought }
}
