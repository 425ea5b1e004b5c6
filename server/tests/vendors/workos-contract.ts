import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { parse } from 'yaml'

interface Content {
  content?: Record<string, { schema?: object }>
}
interface SpecOperation {
  requestBody?: Content
  responses: Record<string, Content>
}
interface Spec {
  paths: Record<string, Record<string, SpecOperation>>
  components: { schemas: { EventSchema: { allOf: [object, { oneOf: EventForm[] }] } } }
}
interface EventForm {
  properties: { event: { const: string } }
}

/** Checks what goes to and comes from a stand-in for WorkOS against the document that WorkOS publishes. */
export interface WorkosContract {
  /** @throws Error that says what does not fit */
  checkRequest(method: string, path: string, body: unknown): void
  checkResponse(method: string, path: string, status: number, body: unknown): void
  /** One entry of its list of events. The list as a whole has so many forms that compiling them takes half a minute. */
  checkEvent(event: { event: string }): void
}

let read: Spec | undefined

export function workosContract(): WorkosContract {
  read ??= parse(
    readFileSync(createRequire(import.meta.url).resolve('@workos/openapi-spec/spec'), 'utf8'),
  ) as Spec
  const spec = read
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
  ajv.addSchema({ $id: 'workos', components: spec.components })
  const compiled = new Map<string, ValidateFunction>()

  const check = (name: string, content: Content | undefined, value: unknown) => {
    const schema = content?.content?.['application/json']?.schema
    if (!schema) throw new Error(`${name} has no shape in the document of WorkOS`)
    let validate = compiled.get(name)
    if (!validate) {
      validate = ajv.compile(
        JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"workos#/components')),
      )
      compiled.set(name, validate)
    }
    if (!validate(value)) throw new Error(`${name}: ${ajv.errorsText(validate.errors)}`)
  }
  const operationOf = (method: string, path: string): SpecOperation => {
    const found = spec.paths[path]?.[method.toLowerCase()]
    if (!found) throw new Error(`WorkOS has no ${method} ${path}`)
    return found
  }
  return {
    checkRequest(method, path, body) {
      const { requestBody } = operationOf(method, path)
      if (requestBody) check(`request ${method} ${path}`, requestBody, body)
    },
    checkEvent(event) {
      const [, { oneOf }] = spec.components.schemas.EventSchema.allOf
      const schema = oneOf.find(({ properties }) => properties.event.const === event.event)
      check(`event ${event.event}`, { content: { 'application/json': schema ? { schema } : {} } }, event)
    },
    checkResponse(method, path, status, body) {
      check(`${status} of ${method} ${path}`, operationOf(method, path).responses[String(status)], body)
    },
  }
}
