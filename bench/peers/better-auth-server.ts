import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'

/**
 * Better Auth with its organization plugin over node:http, as its documentation sets it up for production. Run by
 * better-auth.ts: port, folder of the packages, database and secret as arguments.
 */

process.env.NODE_ENV = 'production'

const [port, folder = '', connectionString, secret] = process.argv.slice(2)
/** More than a run invites. */
const NO_LIMIT = 1_000_000_000

interface Auth {
  options: object
}
interface Packages {
  'better-auth': { betterAuth(options: object): Auth }
  'better-auth/plugins': { organization(options: object): object }
  'better-auth/node': { toNodeHandler(auth: Auth): Parameters<typeof createServer>[1] & object }
  'better-auth/db/migration': {
    getMigrations(options: object): Promise<{ runMigrations(): Promise<void> }>
  }
}

const require = createRequire(join(folder, 'package.json'))
const load = <Name extends keyof Packages>(name: Name): Promise<Packages[Name]> =>
  import(pathToFileURL(require.resolve(name)).href)

const { betterAuth } = await load('better-auth')
const { organization } = await load('better-auth/plugins')
const { toNodeHandler } = await load('better-auth/node')
const { getMigrations } = await load('better-auth/db/migration')

const auth = betterAuth({
  database: new pg.Pool({ connectionString, max: 10 }),
  baseURL: `http://127.0.0.1:${port}`,
  secret,
  emailAndPassword: { enabled: true },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  logger: { disabled: true },
  plugins: [organization({ invitationLimit: NO_LIMIT, membershipLimit: NO_LIMIT })],
})
const { runMigrations } = await getMigrations(auth.options)
await runMigrations()

const handle = toNodeHandler(auth)
const server = createServer((request, response) => {
  if (request.url === '/') response.end('ready')
  else void handle(request, response)
})

process.once('disconnect', () => process.exit(0))
process.once('SIGTERM', () => process.exit(0))
server.listen(Number(port), '127.0.0.1')
