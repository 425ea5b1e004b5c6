import { createAtriumClient, createCookieJar } from '@atrium/client'
import type { Device, Person } from './state.ts'

export const CAST = ['Ada', 'Bob', 'Cem', 'Dora', 'Eve'] as const

export function newDevice(url: string, fetch: typeof globalThis.fetch): Device {
  const cookies = createCookieJar()
  const client = createAtriumClient({ baseUrl: url, cookies, fetch, timeoutMs: 60_000 })
  return { client, cookies, session: undefined, line: undefined }
}

export function newPerson(name: string, email: string, devices: readonly [Device, Device]): Person {
  return {
    ...{ name, email, id: '', presenceUserId: '', displayName: '', devices },
    calendars: new Set(),
    isDeleted: false,
  }
}
