import type { FastifyServerOptions } from 'fastify'
import { isMoment } from '../../moment.ts'
import { composedLength } from '../../text/unicode.ts'

type ValidationOptions = NonNullable<FastifyServerOptions['ajv']>
type Ajv = Parameters<NonNullable<ValidationOptions['onCreate']>>[0]

/** By the name of the format, whether a text is one. */
export type Formats = Readonly<Record<string, (text: string) => boolean>>

/**
 * How input within its bounds (`bounded-input.ts`) is validated: unknown fields are dropped, nothing is taken for another type, every fault is found, and
 * lengths are counted in characters of the normalized text (NFC), so that a letter with its accent is one.
 */
export function inputValidation(formats: Formats): ValidationOptions {
  return {
    customOptions: { removeAdditional: true, coerceTypes: false, useDefaults: true, allErrors: true },
    onCreate(ajv) {
      // in place of those that Fastify brings: input is judged by the rule that it is later read by
      for (const [name, validate] of Object.entries({ 'date-time': isMoment, ...formats }))
        ajv.addFormat(name, { type: 'string', validate })
      countAfterNormalization(ajv)
    },
  }
}

function countAfterNormalization(ajv: Ajv): void {
  const fits = {
    minLength: (limit: number) => (text: string) => (composedLength(text) ?? 0) >= limit,
    maxLength: (limit: number) => (text: string) => (composedLength(text) ?? Infinity) <= limit,
  }
  for (const [keyword, compile] of Object.entries(fits)) {
    ajv.removeKeyword(keyword)
    ajv.addKeyword({ keyword, type: 'string', schemaType: 'number', compile })
  }
}
