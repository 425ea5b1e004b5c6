import { AjvCompiler } from '@fastify/ajv-compiler'
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { Formats } from './input-validation.ts'

/**
 * Fastify's own compilers, but each schema is compiled when it is first needed, and once for all servers of a process.
 * Compiled at the start, the schemas of all operations stop the event loop for a second, for longer on a busy machine:
 * connections to the database that stand by then are taken for dead.
 */

type ValidatorFactory = ReturnType<typeof AjvCompiler>
type Validate = ReturnType<ReturnType<ValidatorFactory>>

/** Servers that know the same formats share what is compiled. */
const factories = new WeakMap<Formats, ValidatorFactory>()

export function validatorsOf(formats: Formats): ValidatorFactory {
  const factory = factories.get(formats) ?? AjvCompiler()
  factories.set(formats, factory)
  return (external, options) => {
    const compile = factory(external, options)
    return (route) => {
      let compiled: Validate | undefined
      const validate = (input: unknown) => {
        compiled ??= compile(route)
        const valid = compiled(input)
        validate.errors = compiled.errors
        return valid
      }
      validate.errors = undefined as Validate['errors']
      return validate as Validate
    }
  }
}

type Serialize = (reply: unknown) => string

/** By schema: hundreds of replies share a few, such as that of a refusal. */
const compiledReplies = new WeakMap<object, Serialize>()

export const serializers: ReturnType<typeof SerializerSelector> = (external, options) => {
  const compile = SerializerSelector()(external, options)
  return (route) => (reply: unknown) => {
    const known = compiledReplies.get(route.schema as object)
    if (known) return known(reply)
    const compiled = compile(route) as Serialize
    compiledReplies.set(route.schema as object, compiled)
    return compiled(reply)
  }
}
