import assert from 'node:assert/strict'
import { expectRefusal, expectStatus } from './expect.ts'
import { fresh, type Person, signedUp, startSignIn } from './person.ts'
import { png, pngWithText } from './png.ts'
import type { Steps } from './steps.ts'
import type { Office, Walk } from './walk.ts'

export const PNG = 'image/png'

/** From the ticket to an image that others see; what is refused on the way; the logo of an organization. */
export const avatars: Walk = {
  name: 'avatars',
  async run(office, steps) {
    await anAvatar(office, steps)
    await badFiles(office, steps)
    await aLogo(office, steps)
  },
}

export async function put(url: string, body: Uint8Array, contentType = PNG): Promise<Response> {
  return await fetch(url, {
    method: 'PUT',
    headers: { 'content-type': contentType },
    body: new Uint8Array(body),
  })
}

async function uploaded({ client }: Person, bytes: Uint8Array): Promise<string> {
  const { uploadUrl, tmpKey } = await client.call('createAvatarUploadTicket', { contentType: PNG })
  assert.equal((await put(uploadUrl, bytes)).status, 200)
  return tmpKey
}

async function imageAt(url: string): Promise<Buffer> {
  const response = await fetch(url)
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), PNG)
  return Buffer.from(await response.arrayBuffer())
}

async function anAvatar(office: Office, { step, check }: Steps): Promise<void> {
  const grace = await step('somebody signs up', () => signedUp(office, 'grace'))
  const { client } = grace
  const image = png(512)
  const { ticket, id } = await step('a ticket names an address and a key of their own', async () => {
    const ticket = await client.call('createAvatarUploadTicket', { contentType: PNG })
    const { id, avatarUploadTriesRemaining } = await client.call('getCurrentUser')
    assert.match(ticket.tmpKey, new RegExp(`^tmp/${id}/[^/]+\\.png$`))
    assert.equal(ticket.expiresInSeconds, 120)
    assert.equal(avatarUploadTriesRemaining, 3)
    return { ticket, id }
  })
  await check('another type, or another key, cannot be uploaded with it', async () => {
    assert.equal((await put(ticket.uploadUrl, image, 'text/html')).status, 403)
    assert.equal((await put(ticket.uploadUrl.replace('.png', '.jpg'), image)).status, 403)
    expectRefusal(await client.request('finalizeAvatarUpload', ticket), 404)
  })
  const { avatarUrl } = await step('upload and finalize make it the avatar', async () => {
    assert.equal((await put(ticket.uploadUrl, image)).status, 200)
    return expectStatus(await client.request('finalizeAvatarUpload', ticket), 200).body
  })
  await check('it is served as it was sent, to be kept for a year, and never run', async () => {
    assert.ok((await imageAt(avatarUrl)).equals(image))
    const { headers } = await fetch(avatarUrl)
    assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable')
  })
  await check('the profile and the next sign-in show it; one try is spent', async () => {
    const user = await client.call('getCurrentUser')
    assert.equal(user.avatarUrl, avatarUrl)
    assert.equal(user.avatarUploadTriesRemaining, 2)
    const code = await startSignIn(office, grace)
    const { body } = expectStatus(
      await client.request('finalizeMagicAuth', { email: grace.email, code }),
      200,
    )
    assert.equal('avatarURL' in body.user && body.user.avatarURL, avatarUrl)
  })
  await check('an upload becomes an avatar once, whatever is put there later', async () => {
    await put(ticket.uploadUrl, png(256))
    expectRefusal(await client.request('finalizeAvatarUpload', ticket), 404)
    assert.ok((await imageAt(avatarUrl)).equals(image))
  })
  await check('words in the file do not reach others', async () => {
    const tmpKey = await uploaded(grace, pngWithText(256, 'CANARY'))
    const second = await client.call('finalizeAvatarUpload', { tmpKey })
    assert.ok(!(await imageAt(second.avatarUrl)).includes('CANARY'))
  })
  await check('the avatar is taken away', async () => {
    assert.equal((await client.request('removeAvatar')).status, 204)
    assert.equal((await client.call('getCurrentUser')).avatarUrl, null)
  })
  await check('keys of others, and ways out of the own folder, are refused', async () => {
    for (const tmpKey of [
      'tmp/0/a.png',
      `tmp/${id}/../0/a.png`,
      `tmp/${id}/%2e%2e/a.png`,
      `avatars/${id}/a.png`,
    ])
      expectRefusal(await client.request('finalizeAvatarUpload', { tmpKey }), 403)
  })
}

async function badFiles(office: Office, { step, check }: Steps): Promise<void> {
  const files: [string, Uint8Array][] = [
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['half an image', png(512).subarray(0, 80)],
    ['127 pixels', png(127)],
    ['1025 pixels', png(1025)],
    ['an image that is not square', png(256, 255)],
    ['one byte too many', Buffer.concat([png(256), Buffer.alloc(2_359_297)]).subarray(0, 2_359_297)],
  ]
  for (const [name, bytes] of files) {
    await check(`${name} is refused, and spends a try`, async () => {
      const person = await signedUp(office, 'mallory')
      const tmpKey = await uploaded(person, bytes)
      expectRefusal(await person.client.request('finalizeAvatarUpload', { tmpKey }), 400)
      expectRefusal(await person.client.request('finalizeAvatarUpload', { tmpKey }), 404)
      const user = await person.client.call('getCurrentUser')
      assert.equal(user.avatarUrl, null)
      assert.equal(user.avatarUploadTriesRemaining, 2)
    })
  }
  const person = await step('another one signs up', () => signedUp(office, 'eve'))
  await check('after three tries there is no further ticket', async () => {
    for (let tries = 0; tries < 3; tries += 1) {
      const tmpKey = await uploaded(person, Buffer.from('no image'))
      expectRefusal(await person.client.request('finalizeAvatarUpload', { tmpKey }), 400)
    }
    expectRefusal(await person.client.request('createAvatarUploadTicket', { contentType: PNG }), 429)
  })
  await check('a type that is not taken is 400, and no type at all 422', async () => {
    const { client } = await signedUp(office, 'linus')
    expectRefusal(await client.request('createAvatarUploadTicket', { contentType: 'image/gif' }), 400)
    expectRefusal(await client.request('createAvatarUploadTicket', {} as never), 422)
    expectRefusal(await client.request('finalizeAvatarUpload', {} as never), 422)
  })
}

async function aLogo(office: Office, { step, check }: Steps): Promise<void> {
  const { client } = await step('a founder signs up', () => signedUp(office, 'founder'))
  await check('without an organization there is no logo', async () => {
    expectRefusal(await client.request('createLogoUploadTicket', { contentType: PNG }), 403)
  })
  const { id } = await step('founds an organization', () =>
    client.call('createOrganization', { name: fresh('Logos') }),
  )
  await check('its logo is uploaded, checked and shown', async () => {
    const ticket = await client.call('createLogoUploadTicket', { contentType: PNG })
    assert.ok(ticket.tmpKey.startsWith(`tmp/${id}/`))
    const image = png(128)
    assert.equal((await put(ticket.uploadUrl, image)).status, 200)
    const { logoUrl } = await client.call('finalizeLogoUpload', ticket)
    assert.ok((await imageAt(logoUrl)).equals(image))
    const user = await client.call('getCurrentUser')
    assert.equal(user.organizationMemberships[0]?.organization.logoUrl, logoUrl)
    assert.equal((await client.request('removeLogo')).status, 204)
  })
}
