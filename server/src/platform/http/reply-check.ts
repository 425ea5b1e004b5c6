import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Server } from './server.ts'

/**
 * Sends only what the contract declares: an undeclared status or shape becomes a 500 that names it. For tests;
 * in production replies are serialized by their schema.
 */
export function checkReplies(server: Server): void {
  server.setSerializerCompiler(({ schema, url, method, httpStatus }) => {
    const validator = Compile(schema as TSchema)
    return (body) => {
      if (validator.Check(body)) return JSON.stringify(body)
      const [first] = validator.Errors(body)
      throw new Error(
        `${method} ${url} answered ${httpStatus} in a shape that the contract does not declare: ${first?.instancePath} ${first?.message}`,
      )
    }
  })
  server.addHook('preSerialization', async (request, reply) => {
    const declared = (request.routeOptions.schema as { response?: Record<string, unknown> } | undefined)
      ?.response
    if (!declared || declared[reply.statusCode] || reply.statusCode >= 500) return
    throw new Error(
      `${request.method} ${request.routeOptions.url} answered ${reply.statusCode}, which the contract does not declare`,
    )
  })
}
