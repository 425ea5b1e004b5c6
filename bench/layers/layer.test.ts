import { expect, it } from 'vitest'
import { layerOf } from './layer.ts'

const ROOT = 'file:///work/atrium'

it.each([
  ['node:internal/streams/writable', 'write', 'node internals'],
  [`${ROOT}/node_modules/fastify/lib/reply.js`, 'send', 'fastify'],
  [`${ROOT}/node_modules/fastify/node_modules/find-my-way/index.js`, 'find', 'fastify'],
  [`${ROOT}/node_modules/@fastify/cookie/plugin.js`, 'parse', 'fastify'],
  [`${ROOT}/node_modules/pg-protocol/dist/parser.js`, 'parse', 'pg'],
  [`${ROOT}/node_modules/kysely/dist/kysely.js`, 'execute', 'kysely'],
  [`${ROOT}/node_modules/pino/lib/proto.js`, 'write', 'log'],
  [`${ROOT}/server/src/platform/log.ts`, 'line', 'log'],
  [`${ROOT}/server/src/platform/http/server.ts`, 'reply', 'server/src/platform/http'],
  [`${ROOT}/server/src/platform/clock.ts`, 'now', 'server/src/platform'],
  [`${ROOT}/server/src/access/sessions/session.ts`, 'read', 'server/src/access'],
  [`${ROOT}/server/src/features/account/get.ts`, 'get', 'server/src/features/account'],
  [`${ROOT}/contract/user.ts`, 'shape', 'contract'],
  ['', '(garbage collector)', 'garbage collector'],
  ['', '(program)', 'outside of JavaScript'],
  ['', 'writev', 'native functions'],
])('%s %s is of %s', (url, name, layer) => {
  expect(layerOf(url, name)).toBe(layer)
})
