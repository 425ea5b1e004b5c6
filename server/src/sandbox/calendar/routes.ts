import { type CalendarProvider, calendarProviders } from '@atrium/contract'
import type { Server } from '../../platform/http/server.ts'
import { serveCalendarPage } from './calendar-page.ts'
import { answerAsProviderA } from './provider-a-api.ts'
import { answerAsProviderB } from './provider-b-api.ts'

export interface SandboxCalendarsOptions {
  baseUrl: string
  /** The owner of an access token; undefined where it is not one. */
  ownerOf(provider: CalendarProvider, accessToken: string): Promise<string | undefined>
}

/** Where the stand-ins answer: what the office is configured with. */
export function sandboxCalendarUrls(baseUrl: string): Record<CalendarProvider, string> {
  const urlOf = (name: string) => `${baseUrl}/sandbox/calendar-api/${name}`
  return { 'provider-a': urlOf('provider-a'), 'provider-b': urlOf('provider-b') }
}

/** Calendars of both providers, over HTTP as the vendors', and a page that shows them where there is no front end. */
export function serveSandboxCalendars(server: Server, { baseUrl, ownerOf }: SandboxCalendarsOptions): void {
  const urls = sandboxCalendarUrls(baseUrl)
  for (const provider of calendarProviders) {
    const base = urls[provider]
    const mount = new URL(base).pathname
    server.get(`${mount}/*`, async (request, reply) => {
      const [, token = ''] = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '') ?? []
      const owner = token ? await ownerOf(provider, token) : undefined
      const { pathname, searchParams } = new URL(request.raw.url ?? '', baseUrl)
      const path = pathname.slice(mount.length)
      const { status, body } =
        provider === 'provider-a'
          ? answerAsProviderA(owner, path, searchParams)
          : answerAsProviderB(owner, path, searchParams, base)
      return reply.status(status).send(body)
    })
  }
  serveCalendarPage(server)
}
