import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { fileURLToPath } from 'node:url'
import { type CORSConfiguration, PutBucketCorsCommand, S3Client } from '@aws-sdk/client-s3'
import { launchChromium } from '../browser/chromium.ts'
import { ACCESS_KEY, SECRET_KEY } from './stores.ts'

const RULES = fileURLToPath(new URL('../../deploy/s3/cors.json', import.meta.url))

/** A page with nothing on it, at an origin of its own: the place of a front end. */
export async function openFrontEnd(): Promise<{ origin: string; server: Server }> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Front end</title>')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('the front end has no port')
  return { origin: `http://localhost:${address.port}`, server }
}

/** Lets browsers of the front end in, by the rules that `deploy/s3` gives to operators. A store without such rules lets all in. */
export async function allowFrontEnd(endpoint: string, bucket: string, origin: string): Promise<void> {
  const credentials = { accessKeyId: ACCESS_KEY, secretAccessKey: SECRET_KEY }
  const client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials })
  const rules = JSON.parse(await readFile(RULES, 'utf8')) as CORSConfiguration
  for (const rule of rules.CORSRules ?? []) rule.AllowedOrigins = [origin]
  try {
    await client.send(new PutBucketCorsCommand({ Bucket: bucket, CORSConfiguration: rules }))
  } catch (error) {
    if ((error as { name?: string }).name !== 'NotImplemented') throw error
  } finally {
    client.destroy()
  }
}

/**
 * A browser at the front end signs in, draws a picture, and puts it straight into the store: its own rules about
 * origins decide whether that works, which no other client has.
 */
export async function uploadFromAnotherOrigin(office: string, origin: string): Promise<void> {
  const running = await launchChromium()
  try {
    const page = await running.newPage()
    await page.goto(origin)
    const outcome = await page.evaluate(uploadInBrowser, office)
    assert.equal(outcome.putStatus, 200)
    assert.match(outcome.avatarUrl, /^https?:\/\/.+\/avatars\/\d+\/[0-9a-f-]+\.png$/)
    assert.equal(outcome.shownInProfile, outcome.avatarUrl)
  } finally {
    await running.close()
  }
}

/** Runs in the page: nothing of this module is there. */
async function uploadInBrowser(office: string) {
  const ask = async (path: string, body: object) => {
    const answer = await fetch(office + path, {
      method: 'POST',
      credentials: 'include',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return await answer.json()
  }
  await ask('/auth/dev-sign-in', {})
  const canvas = Object.assign(document.createElement('canvas'), { width: 256, height: 256 })
  canvas.getContext('2d')?.fillRect(20, 20, 100, 100)
  const picture = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  const { uploadUrl, tmpKey } = await ask('/user/avatar/upload-ticket', { contentType: 'image/png' })
  const put = await fetch(uploadUrl, {
    method: 'PUT',
    headers: { 'content-type': 'image/png' },
    body: picture,
  })
  const { avatarUrl } = await ask('/user/avatar/finalize', { tmpKey })
  const { avatarUrl: shownInProfile } = await ask('/user/get', {})
  return { putStatus: put.status, avatarUrl: avatarUrl as string, shownInProfile: shownInProfile as string }
}
