import { expect, it } from 'vitest'
import type { Attachment, FileUploadOptions, NewFile } from './file-upload.ts'
import { createUploads, FILES_MAX } from './uploads.ts'

const file = (name: string) => new File(['text'], name)
const attachmentOf = ({ name }: NewFile): Attachment => ({
  id: name,
  name,
  contentType: 'text/plain',
  bytes: 4,
})

/** A conversation of which the test ends the uploads. */
function held() {
  const begun: { file: NewFile; options: FileUploadOptions; end(error?: unknown): void }[] = []
  const upload = (one: NewFile, options: FileUploadOptions = {}) =>
    new Promise<Attachment>((resolve, reject) => {
      options.signal?.addEventListener('abort', () => reject(options.signal?.reason))
      const end = (error?: unknown) => (error === undefined ? resolve(attachmentOf(one)) : reject(error))
      begun.push({ file: one, options, end })
    })
  return { uploads: createUploads(upload), begun }
}

it('tells how far each is, and gives a message those that are ready', async () => {
  const { uploads, begun } = held()
  const states: string[] = []
  uploads.subscribe(() =>
    states.push(
      uploads
        .get()
        .map(({ state }) => state)
        .join(' '),
    ),
  )
  uploads.add([file('a'), file('b')])
  begun[0]?.options.onProgress?.(0.5)
  begun[1]?.options.onWaiting?.()
  expect(uploads.get()).toMatchObject([{ part: 0.5, state: 'uploading' }, { state: 'waiting' }])
  begun[0]?.end()
  await expect.poll(() => uploads.get()[0]?.state).toBe('ready')
  expect(uploads.take()).toMatchObject([{ id: 'a' }])
  expect(uploads.get()).toMatchObject([{ name: 'b' }])
  expect(states.length).toBeGreaterThan(4)
})

it('ends what is cancelled and what is left, and begins again what failed', async () => {
  const { uploads, begun } = held()
  uploads.add([file('a'), file('b'), file('c')])
  const [first, second, third] = uploads.get().map(({ id }) => id)
  uploads.cancel(first as number)
  expect(begun[0]?.options.signal?.aborted).toBe(true)
  begun[1]?.end(new Error('no'))
  await expect.poll(() => uploads.get()[0]).toMatchObject({ id: second, state: 'failed' })
  uploads.again(second as number)
  begun.at(-1)?.end()
  await expect.poll(() => uploads.get()[0]?.state).toBe('ready')
  uploads.close()
  expect(begun[2]?.options.signal?.aborted).toBe(true)
  expect(uploads.get().map(({ id }) => id)).not.toContain(third)
})

it('takes as many as a message has, and says how many are left out', () => {
  const { uploads } = held()
  const eight = Array.from({ length: 8 }, (_, at) => file(`${at}`))
  expect(uploads.add(eight)).toBe(0)
  expect(uploads.add(eight)).toBe(16 - FILES_MAX)
  expect(uploads.get()).toHaveLength(FILES_MAX)
})

it('refuses a file of no bytes before the office is asked', () => {
  const { uploads, begun } = held()
  uploads.add([new File([], 'empty'), file('a')])
  expect(uploads.get()).toMatchObject([{ name: 'empty', state: 'failed' }, { state: 'uploading' }])
  uploads.again(uploads.get()[0]?.id ?? 0)
  expect(begun.map((one) => one.file.name)).toEqual(['a'])
  uploads.close()
})
