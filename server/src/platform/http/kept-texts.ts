import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Server } from './server.ts'

type Form = 'br' | 'gzip'

interface KeptText {
  etag: string
  plain: Buffer
  /** Made when it is first asked for. */
  inForm(form: Form): Promise<Buffer>
}

/** As small as it gets in a tenth of a second for a megabyte: 11 takes fifty times as long. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

/**
 * For a scope of routes that answer the same text as long as this process lives: browsers keep it and only ask whether
 * it is still the same, and what crosses the network is compressed, once.
 */
export function keepTexts(scope: Server): void {
  const kept = new Map<string, KeptText>()
  scope.addHook('onSend', async (request, reply, payload) => {
    if (reply.statusCode !== 200 || !isText(payload)) return payload
    const path = request.routeOptions.url ?? ''
    const text = kept.get(path) ?? keepText(payload)
    kept.set(path, text)
    return await sendKept(text, request, reply)
  })
}

function isText(payload: unknown): payload is string | Buffer {
  return typeof payload === 'string' || Buffer.isBuffer(payload)
}

function keepText(payload: string | Buffer): KeptText {
  const plain = Buffer.from(payload)
  const made = new Map<Form, Promise<Buffer>>()
  return {
    etag: createHash('sha256').update(plain).digest('base64url').slice(0, 22),
    plain,
    inForm(form) {
      const bytes = made.get(form) ?? compress(form, plain)
      made.set(form, bytes)
      return bytes
    },
  }
}

function compress(form: Form, plain: Buffer): Promise<Buffer> {
  return form === 'br' ? promisify(brotliCompress)(plain, BROTLI) : promisify(gzip)(plain)
}

/** The tag names the form too: they are different bytes. */
async function sendKept(
  text: KeptText,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): Promise<Buffer | null> {
  const form = formFor(headers['accept-encoding'])
  const etag = `"${text.etag}${form ? `-${form}` : ''}"`
  reply.header('etag', etag).header('cache-control', 'no-cache').header('vary', 'origin, accept-encoding')
  if (isNamed(headers['if-none-match'], etag)) {
    reply.status(304).removeHeader('content-type')
    return null
  }
  const bytes = form ? await text.inForm(form) : text.plain
  if (form) reply.header('content-encoding', form)
  reply.header('content-length', bytes.byteLength)
  return bytes
}

function formFor(accepted: string | string[] | undefined): Form | undefined {
  const text = String(accepted ?? '')
  return (['br', 'gzip'] as const).find((form) =>
    new RegExp(`\\b${form}\\b(?!\\s*;\\s*q=0(?:\\.0*)?\\s*(?:,|$))`).test(text),
  )
}

function isNamed(header: string | undefined, etag: string): boolean {
  const names = (header ?? '').split(',').map((name) => name.trim().replace(/^W\//, ''))
  return names.includes(etag) || names.includes('*')
}
