import { Refusal } from '../../refusal.ts'
import { refusedOrigin } from './cross-origin.ts'
import { allowsOrigin } from './origins.ts'

export interface CrossSiteFacts {
  contentType: string | undefined
  origin: string | undefined
  /** The header Sec-Fetch-Site, which a page cannot forge. */
  fetchSite: string | undefined
}

/**
 * Refuses what another site's page could make a browser send with our cookie. For every unsafe request.
 * - content type: none at all, or JSON. A form cannot send JSON, and a script of another origin that does is
 *   stopped by its preflight.
 * - `Origin` and `Sec-Fetch-Site`, where present: of an allowed origin. A bodyless no-cors fetch has no content
 *   type, so the first rule alone would not stop it.
 * A caller without either header is no browser of today, and holds no cookie by accident.
 */
export function refuseCrossSite(facts: CrossSiteFacts, allowedOrigins: readonly string[]): void {
  const originAllowed = facts.origin !== undefined && allowsOrigin(allowedOrigins, facts.origin)
  if (facts.origin !== undefined && !originAllowed) throw refusedOrigin(facts.origin)
  const site = facts.fetchSite
  if (site !== undefined && site !== 'same-origin' && !originAllowed) throw refusedOrigin(facts.origin)
  if (facts.contentType !== undefined && !isJson(facts.contentType)) {
    throw Refusal.of('unsupported')
  }
}

function isJson(contentType: string): boolean {
  return contentType.split(';', 1)[0]?.trim().toLowerCase() === 'application/json'
}
