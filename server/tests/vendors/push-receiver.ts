import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  hkdfSync,
  randomBytes,
  randomUUID,
  verify,
} from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** What `PushSubscription.toJSON()` of a browser says. */
export interface BrowserSubscription {
  endpoint: string
  keys: { p256dh: string; auth: string }
}

/** A browser that has subscribed at a push service. */
export function newBrowser(service?: string): BrowserSubscription {
  return newBrowserWithKeys(service).subscription
}

interface Browser {
  subscription: BrowserSubscription
  receives: { browserKey: Buffer; browserSecret: Buffer }
  privateKey: Buffer
}

export function newBrowserWithKeys(service = 'http://127.0.0.1:9'): Browser {
  const ecdh = createECDH('prime256v1')
  ecdh.generateKeys()
  const [browserKey, browserSecret] = [ecdh.getPublicKey(), randomBytes(16)]
  return {
    subscription: {
      endpoint: `${service}/send/${randomUUID()}`,
      keys: { p256dh: browserKey.toString('base64url'), auth: browserSecret.toString('base64url') },
    },
    receives: { browserKey, browserSecret },
    privateKey: ecdh.getPrivateKey(),
  }
}

/** What a browser reads of a push, by RFC 8291 and RFC 8188. @throws where it is not for this browser */
export function decrypted(
  body: Buffer,
  { privateKey, receives: { browserKey, browserSecret } }: Browser,
): string {
  const [salt, senderKey] = [body.subarray(0, 16), body.subarray(21, 21 + body.readUInt8(20))]
  const ecdh = createECDH('prime256v1')
  ecdh.setPrivateKey(privateKey)
  const derive = (secret: Buffer, with_: Buffer, info: Buffer, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, with_, info, bytes))
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browserKey, senderKey])
  const ikm = derive(ecdh.computeSecret(senderKey), browserSecret, info, 32)
  const key = derive(ikm, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(ikm, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const record = body.subarray(21 + senderKey.length)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(record.subarray(-16))
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  const end = padded.lastIndexOf(2)
  if (end === -1 || padded.subarray(end + 1).some((byte) => byte !== 0))
    throw new Error('not one last record')
  return padded.toString('utf8', 0, end)
}

/** One push as it came. */
export interface PushArrival {
  endpoint: string
  headers: Record<string, string | undefined>
  body: Buffer
}

export interface PushReceiver {
  url: string
  arrivals: PushArrival[]
  /** How many it had not answered at one time. */
  mostAtOnce: number
  /** What it answers from now on: a status, also with how long it asks to be left in peace; or nothing. */
  answers: number | { status: number; 'retry-after': string } | 'never'
  /** A browser that is told by it. */
  newBrowser(): Browser
  /** What a browser was told, read with its own key. */
  toldTo(browser: Browser): { title: string; body: string; tag: string; path: string }[]
  close(): Promise<void>
}

/** A push service on this machine, which takes everything until told otherwise. */
export async function openPushReceiver(): Promise<PushReceiver> {
  let unanswered = 0
  const server = createServer(async (request, response) => {
    unanswered += 1
    receiver.mostAtOnce = Math.max(receiver.mostAtOnce, unanswered)
    response.once('close', () => {
      unanswered -= 1
    })
    const body = await buffer(request)
    const endpoint = `${receiver.url}${request.url}`
    receiver.arrivals.push({ endpoint, headers: request.headers as PushArrival['headers'], body })
    const { answers } = receiver
    if (answers === 'never') return
    const { status, ...more } = typeof answers === 'number' ? { status: answers } : answers
    response.writeHead(status, more).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const receiver: PushReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivals: [],
    mostAtOnce: 0,
    answers: 201,
    newBrowser: () => newBrowserWithKeys(receiver.url),
    toldTo: (browser) =>
      receiver.arrivals
        .filter(({ endpoint }) => endpoint === browser.subscription.endpoint)
        .map(({ body }) => JSON.parse(decrypted(body, browser))),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return receiver
}

/** The claims of `Authorization: vapid`, verified by the key beside them as RFC 8292 has it. @throws where they are not signed by it */
export function vapidClaims(header = ''): { key: string; claims: { aud: string; exp: number; sub: string } } {
  const { token = '', key = '' } = /^vapid t=(?<token>[\w.-]+), k=(?<key>[\w-]+)$/.exec(header)?.groups ?? {}
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')]
  const publicKey = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y } })
  const said = Buffer.from(`${head}.${claims}`)
  const isSigned = verify(
    'sha256',
    said,
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!isSigned) throw new Error('not signed by the key that it names')
  return { key, claims: JSON.parse(Buffer.from(claims, 'base64url').toString()) }
}
