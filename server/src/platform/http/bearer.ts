import type { IncomingHttpHeaders } from 'node:http'

const BEARER = /^bearer(?:\s+(.*))?$/is

/** The token of `Authorization: Bearer …`, "" where there is none; undefined where the request brings no bearer. */
export function bearerOf({ authorization }: IncomingHttpHeaders): string | undefined {
  const [match, token = ''] = BEARER.exec(authorization ?? '') ?? []
  return match === undefined ? undefined : token.trim()
}
