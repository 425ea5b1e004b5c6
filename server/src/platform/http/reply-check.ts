import type { FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
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
      const [first] = validator.Errors(body)
      const what = `${httpStatus} in a shape that the contract does not declare`
      const message = `${method} ${url} answered ${what}: ${first?.instancePath} ${first?.message}`
      throw Object.assign(new Error(message), { statusCode: 500 })
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
  // What has no body is never serialized.
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

/** With a status of its own: else it would go out under the one that it complains about. */
function undeclared({ method, routeOptions }: FastifyRequest, what: string): Error {
  const message = `${method} ${routeOptions.url} answered ${what}, which the contract does not declare`
  return Object.assign(new Error(message), { statusCode: 500 })
}
