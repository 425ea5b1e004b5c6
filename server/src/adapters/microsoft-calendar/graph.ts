import { leaveOut } from '../../platform/outside/left-out.ts'
import { apiAddress } from '../../platform/outside/outside-address.ts'
import type { Fetch } from '../../platform/outside/outside-fetch.ts'
import {
  type Allowance,
  allowance,
  type JsonAnswer,
  outsideJson,
} from '../../platform/outside/outside-json.ts'
import { ProviderFailure } from '../../platform/refusal.ts'
import { webAddress } from '../../platform/text/unicode.ts'
import type { CalendarAnswer } from '../../ports/calendar.ts'
import { faultCode, nextLinkOf, readPage } from './wire.ts'

export const PROVIDER = 'microsoft graph'
/** No honest answer has as many pages; one that leads in circles has. */
const PAGES_MAX = 1_100
/** Times in one zone that needs no table; the zone of the event itself is told beside them. */
const PREFER = { prefer: 'outlook.timezone="UTC", outlook.body-content-type="text"' }
const OUT_OF_BREATH = ['TooManyRequests', 'ApplicationThrottled', 'activityLimitReached', 'quotaLimitReached']
const NO_SUCH_ID = ['ErrorInvalidIdMalformed', 'ErrorInvalidId', 'ErrorItemNotFound']

/** What Microsoft Graph answers, by paths within its API. */
export interface Graph {
  get(path: string, token: string): Promise<JsonAnswer>
  /** What is on all pages. */
  list(path: string, query: Record<string, string>, token: string): Promise<CalendarAnswer<unknown[]>>
}

export function microsoftGraph({ apiUrl, fetch }: { apiUrl: string; fetch: Fetch }): Graph {
  const base = apiAddress(apiUrl, '/v1.0')
  const read = outsideJson({
    fetch,
    provider: PROVIDER,
    asksForPatience: ({ status, body }) => status === 403 && OUT_OF_BREATH.includes(faultCode(body)),
  })
  const get = (url: URL, accessToken: string, allowed: Allowance) =>
    read({ url, accessToken, allowance: allowed, headers: PREFER })
  return {
    get: (path, token) => get(new URL(`${base}${path}`), token, allowance()),
    async list(path, query, token) {
      const allowed = allowance()
      const url = new URL(`${base}${path}`)
      url.search = new URLSearchParams(query).toString()
      const pages = await readPages(url, base, (page) => get(page, token, allowed))
      return pages.kind === 'answered' ? { kind: 'answered', value: itemsOn(pages.value) } : pages
    },
  }
}

/** Tells of what could not be read among what was. */
export function readAll<Item, Value>(
  part: 'calendar' | 'event',
  items: readonly Item[],
  readOne: (item: Item) => Value | undefined,
): Value[] {
  const value = items.flatMap((item) => readOne(item) ?? [])
  leaveOut({ provider: PROVIDER, part, count: items.length - value.length })
  return value
}

function itemsOn(pages: readonly unknown[]): unknown[] {
  return pages.flatMap((body) => {
    const items = readPage(body)
    if (!items) throw unreadable()
    return items
  })
}

export type Refused = Exclude<CalendarAnswer<never>, { value: never }>

/**
 * Every page. Their links are followed by path and query only, within the API that we know: the token goes nowhere
 * else. Where the vendor has forgotten where we were (410), once more from the first.
 */
async function readPages(
  first: URL,
  base: string,
  readPage: (url: URL) => Promise<JsonAnswer>,
): Promise<CalendarAnswer<unknown[]>> {
  let pages: unknown[] = []
  let [url, again] = [first, false]
  for (let read = 0; read < PAGES_MAX; read += 1) {
    const answer = await readPage(url)
    if (answer.status === 410 && url !== first && !again) {
      ;[pages, url, again] = [[], first, true]
      continue
    }
    const refusal = refusalOf(answer)
    if (refusal) return refusal
    pages.push(answer.body)
    const link = nextLinkOf(answer.body)
    if (link === undefined) return { kind: 'answered', value: pages }
    const next = typeof link === 'string' ? webAddress(link) : undefined
    if (!next?.pathname.startsWith(`${new URL(base).pathname}/`)) throw unreadable()
    const following = new URL(next.pathname + next.search, base)
    if (following.href === url.href) throw unreadable()
    url = following
  }
  throw unreadable()
}

/** @returns undefined where it is an answer. @throws ProviderFailure where it says nothing about the question */
export function refusalOf({ status, body }: JsonAnswer): Refused | undefined {
  if (status === 200 && typeof body === 'object' && body !== null) return undefined
  if (status === 401) return { kind: 'token-refused' }
  if (status === 404 || status === 410) return { kind: 'not-found' }
  if (status === 400 && NO_SUCH_ID.includes(faultCode(body))) return { kind: 'not-found' }
  if (status === 403) return { kind: 'consent-missing' }
  const cause = new Error(`it answered ${status} ${faultCode(body).slice(0, 100)}`)
  throw new ProviderFailure(PROVIDER, 'read', { retryable: false, cause })
}

export function unreadable(): ProviderFailure {
  const cause = new Error('its answer has another form than expected')
  return new ProviderFailure(PROVIDER, 'read', { retryable: false, cause })
}
