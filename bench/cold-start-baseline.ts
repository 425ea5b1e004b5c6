import { createServer } from 'node:http'

/** The least that can start: bare node:http. Run by cold-start.ts with its port as argument. */

process.once('disconnect', () => process.exit(0))
process.once('SIGTERM', () => process.exit(0))
createServer((_request, response) => response.end('ready')).listen(Number(process.argv[2]), '127.0.0.1')
