import { Resolver } from 'node:dns/promises'

const ANSWER_WITHIN_MS = 5_000
const TRIES = 2

/** Asks the DNS for TXT records; never waits long. Failures are those of `node:dns`. */
export function textResolver(): (name: string) => Promise<string[][]> {
  const resolver = new Resolver({ timeout: ANSWER_WITHIN_MS, tries: TRIES })
  return (name) => resolver.resolveTxt(name)
}
