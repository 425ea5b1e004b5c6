import { methods } from '@atrium/contract'
import fastifyCors, { type FastifyCorsOptions } from '@fastify/cors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Log } from '../../log.ts'
import { Refusal } from '../../refusal.ts'
import { allowsOrigin } from './origins.ts'

/** What browsers of the allowed origins may do below one prefix, where that differs. */
export interface CrossOriginPaths {
  prefix: string
  methods: readonly string[]
  allowedHeaders: readonly string[]
  /** Headers that are allowed too, but named only to a browser that asks for them. */
  allowedWhenAsked: readonly string[]
  /** Beside those that are readable everywhere. */
  exposedHeaders: readonly string[]
}

interface Needs {
  /** Origins with browsers that may call with credentials. */
  origins: readonly string[]
  special: readonly CrossOriginPaths[]
  /** Beginnings of paths that are for no pages of others: programs with a secret of their own, stand-ins. */
  exempt: readonly string[]
  log: Pick<Log, 'warn'>
}

const ORIGIN = /^(null|[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/?#]{1,300})$/i

/**
 * Pages of the allowed origins may call. A request of any other origin is refused before any handler, with any method.
 * That refusal and its preflight carry CORS headers all the same, so that the page's console shows the reason and not a
 * riddle: there is nothing else in them to be read.
 */
export async function answerOrigins(server: FastifyInstance, needs: Needs): Promise<void> {
  await server.register(fastifyCors, { delegator: crossOriginRules(needs) })
  const tell = boundedWarnings(needs.log)
  server.addHook('onRequest', (request, _reply, done) => {
    const { origin } = request.headers
    if (origin === undefined || allowsOrigin(needs.origins, origin)) return done()
    if (needs.exempt.some((path) => request.url.startsWith(path))) return done()
    tell(origin)
    done(refusedOrigin(origin))
  })
}

/** The refusal of a page that may not call. */
export function refusedOrigin(origin: string | undefined): Refusal {
  const from = origin !== undefined && ORIGIN.test(origin) ? `of ${origin}` : 'of this origin'
  return Refusal.of('cross-site', {
    message: `Pages ${from} may not call this office: ALLOWED_ORIGINS does not name it`,
  })
}

/** Who sends no origin is told nothing about any. */
function crossOriginRules({ origins, special, exempt }: Needs) {
  const rules = {
    origin: true,
    credentials: true,
    methods: [...methods],
    allowedHeaders: ['content-type', 'idempotency-key'],
    exposedHeaders: [
      'retry-after',
      'ratelimit-limit',
      'ratelimit-remaining',
      'ratelimit-reset',
      'deprecation',
      'link',
      'x-request-id',
      'date',
      'idempotency-replayed',
    ],
    maxAge: 600,
    // An OPTIONS that is no preflight is answered by the methods of its path.
    strictPreflight: false,
  } satisfies FastifyCorsOptions
  const none: FastifyCorsOptions = { origin: false }
  const rulesOf = ({ url, headers }: FastifyRequest): FastifyCorsOptions => {
    const { origin } = headers
    if (origin === undefined || !ORIGIN.test(origin)) return none
    const allowed = allowsOrigin(origins, origin)
    if (!allowed && exempt.some((path) => url.startsWith(path))) return none
    const preflight = headers['access-control-request-method'] !== undefined
    // what is refused may be allowed a minute later: no browser shall remember it
    const maxAge = allowed ? rules.maxAge : 0
    const below = special.find(({ prefix }) => url.startsWith(prefix))
    if (!below) return { ...rules, preflight, maxAge }
    const asked = String(headers['access-control-request-headers'] ?? '')
      .split(',')
      .map((name) => name.trim().toLowerCase())
    return {
      ...rules,
      preflight,
      maxAge,
      methods: [...below.methods],
      allowedHeaders: [
        ...below.allowedHeaders,
        ...below.allowedWhenAsked.filter((name) => asked.includes(name)),
      ],
      exposedHeaders: [...rules.exposedHeaders, ...below.exposedHeaders],
    }
  }
  return (request: FastifyRequest, decide: (error: null, rules: FastifyCorsOptions) => void) =>
    decide(null, rulesOf(request))
}

const WARNINGS_WITHIN_MS = 10 * 60 * 1_000
const WARNINGS_MAX = 20

/** Each origin once in ten minutes, and of many only the first: strangers do not fill the log. */
function boundedWarnings(log: Pick<Log, 'warn'>): (origin: string) => void {
  const told = new Set<string>()
  let until = 0
  return (origin) => {
    const now = performance.now()
    if (now >= until) {
      told.clear()
      until = now + WARNINGS_WITHIN_MS
    }
    if (told.size >= WARNINGS_MAX || told.has(origin)) return
    told.add(origin)
    const named = ORIGIN.test(origin) ? origin : '(no origin)'
    log.warn({ origin: named }, 'pages of this origin were refused: ALLOWED_ORIGINS does not name it')
  }
}
