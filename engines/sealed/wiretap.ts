import type { Visitor } from '../web/visitor.ts'

/** Everything that a page sends and is sent but sound and pictures, and the room keys that it has used. */
export interface Wiretap {
  /** As text, byte for byte. */
  traffic: Buffer[]
  /** In hexadecimal digits. */
  keys: Set<string>
}

declare const noteKey: (key: string) => Promise<void>

/** Before a page is opened: notes keys at the moment at which they are given to the encryption. */
export async function listenTo({ page }: Visitor): Promise<Wiretap> {
  const tap: Wiretap = { traffic: [], keys: new Set() }
  const keep = (text: string | Buffer) => void tap.traffic.push(Buffer.from(text))
  await page.exposeFunction('noteKey', (key: string) => void tap.keys.add(key))
  await page.addInitScript(() => {
    const { subtle } = crypto
    const importKey = subtle.importKey.bind(subtle) as (...given: unknown[]) => Promise<CryptoKey>
    Object.assign(subtle, {
      importKey(...given: unknown[]) {
        const [form, bytes, algorithm] = given
        if (form === 'raw' && algorithm === 'HKDF' && bytes instanceof ArrayBuffer && bytes.byteLength === 32)
          void noteKey(Array.from(new Uint8Array(bytes), (one) => one.toString(16).padStart(2, '0')).join(''))
        return importKey(...given)
      },
    })
  })
  page.on('request', (request) => keep(`${request.url()} ${request.postData() ?? ''}`))
  page.on('response', async (response) => {
    if (/json/.test(response.headers()['content-type'] ?? '')) keep(await response.body().catch(() => ''))
  })
  page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => keep(payload))
    socket.on('framereceived', ({ payload }) => keep(payload))
  })
  return tap
}

/** Whether a key is in something, in one of the forms in which it could be written. */
export function isIn(key: string, text: Buffer): boolean {
  const bytes = Buffer.from(key, 'hex')
  const forms = [bytes, key, bytes.toString('base64').replace('=', ''), bytes.toString('base64url')]
  return forms.some((form) => text.includes(form))
}
