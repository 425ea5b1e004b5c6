import { isDeepStrictEqual } from 'node:util'
import type { FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { Clean } from 'typebox/value'
import type { Server } from './server.ts'

/** Compiled once, however many servers a process opens: tests open hundreds. */
const compiled = new WeakMap<object, Validator>()

/**
 * Sends only what the contract declares: an undeclared status or shape becomes a 500 that names it. For tests;
 * in production replies are serialized by their schema.
 */
export function checkReplies(server: Server): void {
  server.setSerializerCompiler(({ schema, url, method, httpStatus }) => {
    const validator = validatorOf(schema as TSchema)
    return (body) => {
      if (validator.Check(body)) return JSON.stringify(body)
      throw misshapen({ method, url }, Number(httpStatus), validator.Errors(body))
    }
  })
  server.addHook('preSerialization', async (request, reply, payload) => {
    const declared = declaredOf(request)
    const status = reply.statusCode
    if (!declared || status === 500) return
    if (!declared.shapes[status] && status < 500) throw undeclared(request, `${status}`)
    const { error } = (payload ?? {}) as { error?: string }
    if (status < 400 || error === undefined || !declared.errors) return
    if (!declared.errors.get(status)?.includes(error))
      throw undeclared(request, `${status} with the error word ${error}`)
  })
  // What is written already is never serialized: nothing would take away what is not declared.
  server.addHook('onSend', async (request, reply, payload) => {
    const declared = declaredOf(request)
    if (!declared || !Buffer.isBuffer(payload)) return
    const schema = declared.shapes[reply.statusCode] as TSchema | undefined
    if (!schema) throw undeclared(request, `${reply.statusCode}`)
    const body: unknown = JSON.parse(payload.toString())
    const validator = validatorOf(schema)
    if (!validator.Check(body)) throw misshapen(request, reply.statusCode, validator.Errors(body))
    if (!isDeepStrictEqual(Clean(schema, structuredClone(body)), body))
      throw undeclared(request, `${reply.statusCode} with a field`)
  })
  // What has no body is never serialized either.
  server.addHook('onSend', async (request, reply, payload) => {
    const declared = declaredOf(request)
    if (!declared || payload || reply.statusCode >= 500 || request.method === 'HEAD') return
    if (!declared.bodyless.includes(reply.statusCode))
      throw undeclared(request, `${reply.statusCode} without a body`)
  })
}

function validatorOf(schema: TSchema): Validator {
  const known = compiled.get(schema)
  if (known) return known
  const validator = Compile(schema)
  compiled.set(schema, validator)
  return validator
}

interface Declared {
  /** By status. */
  shapes: Record<number, unknown>
  bodyless: readonly number[]
  /** The words of refusals, by status. */
  errors: ReadonlyMap<number, readonly string[]> | undefined
}

function declaredOf({ routeOptions }: FastifyRequest): Declared | undefined {
  const shapes = (routeOptions.schema as { response?: Record<number, unknown> } | undefined)?.response
  const { bodyless = [], errors } = routeOptions.config as Partial<Declared>
  return shapes && { shapes, bodyless, errors }
}

function undeclared({ method, routeOptions }: FastifyRequest, what: string): Error {
  return defect(`${method} ${routeOptions.url} answered ${what}, which the contract does not declare`)
}

function misshapen(
  { method, url }: { method: unknown; url: string },
  status: number,
  [first]: ReturnType<Validator['Errors']>,
): Error {
  const what = `${status} in a shape that the contract does not declare`
  return defect(`${method} ${url} answered ${what}: ${first?.instancePath} ${first?.message}`)
}

/** With a status of its own: else it would go out under the one that it complains about. */
function defect(message: string): Error {
  return Object.assign(new Error(message), { statusCode: 500 })
}
