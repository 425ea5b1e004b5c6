import { openApiDocument } from '@atrium/contract/openapi'
import type { Generator } from './generator.ts'

/** `docs/openapi.json`: the published interface, checked in so that every change of it shows in a review. */
export function openApi(version: string): Generator {
  return {
    path: 'docs/openapi.json',
    make: () => `${JSON.stringify(openApiDocument({ version }), null, 2)}\n`,
  }
}
