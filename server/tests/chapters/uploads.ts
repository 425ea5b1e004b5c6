import { randomInt } from 'node:crypto'
import type { AtriumClient } from '@atrium/client'
import type { Role } from '@atrium/contract'
import sharp from 'sharp'
import type { ImageType } from '../../src/ports/image-check.ts'
import type { TestOffice } from '../office.ts'
import { newPerson, type Person } from '../people.ts'
import { until } from '../until.ts'

type Format = 'jpeg' | 'png' | 'webp'

/** A picture that no other test has: random blocks of colour. */
export function picture(format: Format, width = 256, height = width): Promise<Buffer> {
  return pixels(width, height)[format]().toBuffer()
}

/** The same, not encoded yet. */
export function pixels(width: number, height = width) {
  const raw = Buffer.from(Array.from({ length: 8 * 8 * 3 }, () => randomInt(256)))
  return sharp(raw, { raw: { width: 8, height: 8, channels: 3 } }).resize(width, height, {
    fit: 'fill',
    kernel: 'nearest',
  })
}

/** The address of an upload on the port that a test's office really has. */
export function addressAt(office: TestOffice, url: string): string {
  const { pathname, search } = new URL(url)
  return `${office.baseUrl}${pathname}${search}`
}

/** Uploads as a front end would: a ticket, then PUT. @returns the key to finalize */
export async function upload(
  office: TestOffice,
  browser: AtriumClient,
  bytes: Uint8Array,
  contentType: ImageType = 'image/png',
  of: 'Avatar' | 'Logo' = 'Avatar',
): Promise<string> {
  await untilImagesAreChecked(office)
  const ticket = await browser.call(`create${of}UploadTicket`, { contentType })
  const response = await put(addressAt(office, ticket.uploadUrl), bytes, contentType)
  if (response.status !== 200) throw new Error(`the upload was answered ${response.status}`)
  return ticket.tmpKey
}

/** The process that looks at images is started with the first of them: on a busy machine that takes longer than a check may. */
export async function untilImagesAreChecked(office: TestOffice): Promise<void> {
  const { uploads } = office.office
  uploads.startImageCheck()
  await until(async () => {
    const fault = await uploads.imageCheck.ready().catch((error: unknown) => error)
    return fault === undefined
  })
}

export async function put(url: string, bytes: Uint8Array, contentType: string): Promise<Response> {
  const body = new Uint8Array(bytes)
  return await fetch(url, { method: 'PUT', headers: { 'content-type': contentType }, body })
}

/** What is served at a public address of an image. */
export async function shownAt(office: TestOffice, url: string): Promise<Response> {
  return await fetch(addressAt(office, url))
}

/** A new person who works in an organization in that role. */
export async function joinAs(office: TestOffice, organizationId: string, role: Role): Promise<Person> {
  const person = await newPerson(office)
  const { rows } = await office.database.pool.query<{ id: string }>(
    'select id from organizations where identity_organization_id = $1',
    [organizationId],
  )
  const id = rows[0]?.id
  await office.database.pool.query(
    `insert into memberships (organization_id, user_id, role, status, created_at, updated_at)
     values ($1, $2, $3, 'active', now(), now())`,
    [id, person.id, role],
  )
  await office.database.pool.query('update sessions set active_organization_id = $1 where user_id = $2', [
    id,
    person.id,
  ])
  office.office.callers.forget(person.id)
  return person
}
