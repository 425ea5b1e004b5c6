import { outside } from '../../platform/outside/outside.ts'
import { fieldsOf } from '../../platform/outside/outside-fields.ts'
import type { ImageCheckPort, ImageFault, ImageType, ImageVerdict } from '../../ports/image-check.ts'

export interface HttpImageCheckOptions {
  /** Where the service answers, without a slash at the end. Waits for it where it is starting; rejects where it is not. */
  url: () => Promise<string>
  /** Whether it makes sense to ask it now. */
  isUp?: () => boolean
}

const CHECK_WITHIN_MS = 15_000
const HEALTH_WITHIN_MS = 1_000
const CLEANED_BYTES_MAX = 16 * 1024 * 1024
const TYPES: readonly string[] = ['image/jpeg', 'image/png', 'image/webp'] satisfies ImageType[]
const FAULTS: readonly string[] = ['not-an-image', 'damaged', 'too-many-pixels'] satisfies ImageFault[]

/** The image check over HTTP (docs/image-check.md): our own service, or another one of that contract. */
export function httpImageCheck({ url, isUp = () => true }: HttpImageCheckOptions): ImageCheckPort {
  const ask = async (path: string, bytes: Uint8Array) => {
    const response = await fetch(`${await url()}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: bytes as Uint8Array<ArrayBuffer>,
      redirect: 'error',
      signal: AbortSignal.timeout(CHECK_WITHIN_MS),
    })
    return await verdictOf(response)
  }
  return {
    check: (bytes) => attempt('check', () => ask('/check', bytes)),
    preview: (bytes) =>
      attempt('preview', async () => {
        const verdict = await ask('/preview', bytes)
        if (verdict.accepted && !isWebp(verdict.cleaned)) throw new Error('it answered with no small picture')
        return verdict
      }),
    ready: () =>
      attempt('health', async () => {
        if (!isUp()) throw new Error('it is not up')
        const signal = AbortSignal.timeout(HEALTH_WITHIN_MS)
        const response = await fetch(`${await url()}/health`, { redirect: 'error', signal })
        await response.body?.cancel()
        if (response.status !== 200) throw new Error(`it answered ${response.status}`)
      }),
  }
}

/** Another service may be hostile, or simply wrong: nothing of its answer is believed unseen. */
async function verdictOf(response: Response): Promise<ImageVerdict> {
  if (response.status === 422 || response.status === 413)
    return { accepted: false, fault: await faultOf(response) }
  if (response.status !== 200 && response.status !== 204) {
    await response.body?.cancel()
    throw new Error(`it answered ${response.status}`)
  }
  const contentType = response.headers.get('image-type') ?? ''
  const [width, height] = [pixelsOf(response, 'image-width'), pixelsOf(response, 'image-height')]
  if (!TYPES.includes(contentType)) throw new Error('it accepted a type that we do not take')
  const cleaned = response.status === 200 ? await bodyOf(response) : undefined
  return { accepted: true, contentType: contentType as ImageType, width, height, cleaned }
}

async function faultOf(response: Response): Promise<ImageFault> {
  const text = Buffer.from(await bodyOf(response)).toString()
  const { reason } = fieldsOf(JSON.parse(text))
  return typeof reason === 'string' && FAULTS.includes(reason) ? (reason as ImageFault) : 'damaged'
}

function pixelsOf(response: Response, header: string): number {
  const text = response.headers.get(header) ?? ''
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new Error(`it answered without ${header}`)
  return Number(text)
}

function isWebp(bytes: Uint8Array | undefined): boolean {
  const head = Buffer.from(bytes ?? []).toString('latin1', 0, 12)
  return /^RIFF.{4}WEBP$/s.test(head)
}

async function bodyOf(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let total = 0
  for await (const chunk of response.body ?? []) {
    total += chunk.length
    if (total > CLEANED_BYTES_MAX) throw new Error('it answered with too many bytes')
    chunks.push(chunk)
  }
  if (total === 0) throw new Error('it answered with nothing')
  return Buffer.concat(chunks)
}

function attempt<T>(action: string, work: () => Promise<T>): Promise<T> {
  return outside({ provider: 'image check', action }, work)
}
