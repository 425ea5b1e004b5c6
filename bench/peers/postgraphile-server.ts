import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/**
 * PostGraphile over the office's own tables with its Amber preset, by Grafserv on node:http, as in production: no
 * GraphiQL, no watching, no explaining. Run by postgraphile.ts: port, folder of the packages and database as arguments.
 */

process.env.NODE_ENV = 'production'
process.env.GRAPHILE_ENV = 'production'

const [port, folder = '', connectionString] = process.argv.slice(2)

interface Serv {
  createHandler(): Parameters<typeof createServer>[1] & object
}
interface Packages {
  postgraphile: { postgraphile(preset: object): { createServ(grafserv: unknown): Serv } }
  'postgraphile/presets/amber': { PostGraphileAmberPreset: object }
  'postgraphile/adaptors/pg': { makePgService(options: object): object }
  'postgraphile/grafserv/node': { grafserv: unknown }
}

const require = createRequire(join(folder, 'package.json'))
const load = <Name extends keyof Packages>(name: Name): Packages[Name] => require(name)

const { postgraphile } = load('postgraphile')
const { PostGraphileAmberPreset } = load('postgraphile/presets/amber')
const { makePgService } = load('postgraphile/adaptors/pg')
const { grafserv } = load('postgraphile/grafserv/node')

const service = postgraphile({
  extends: [PostGraphileAmberPreset],
  pgServices: [makePgService({ connectionString, schemas: ['public'], poolConfig: { max: 10 } })],
  grafserv: { graphiql: false, watch: false },
  grafast: { explain: false },
}).createServ(grafserv)

const handle = service.createHandler()
const server = createServer((request, response) => {
  if (request.url === '/') response.end('ready')
  else handle(request, response)
})

process.once('disconnect', () => process.exit(0))
process.once('SIGTERM', () => process.exit(0))
server.listen(Number(port), '127.0.0.1')
