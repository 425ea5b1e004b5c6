import { expect, it } from 'vitest'
import { PictureRefused, sendPicture, squareOf } from './picture.ts'
import { fakeOffice } from './tests/fake-office.ts'

it('takes the square of the middle, no larger than the office allows', () => {
  expect(squareOf(3_000, 2_000)).toEqual({ x: 500, y: 0, side: 2_000, to: 1_024 })
  expect(squareOf(200, 301)).toEqual({ x: 0, y: 50, side: 200, to: 200 })
  expect(squareOf(128, 128)).toEqual({ x: 0, y: 0, side: 128, to: 128 })
})

it('refuses what is too small before a try is spent', () => {
  expect(() => squareOf(2_000, 127)).toThrow(PictureRefused)
})

it('is sent to the address of the ticket with the type that was asked for, and put in place', async () => {
  const { client, asked } = fakeOffice({
    '/user/avatar/upload-ticket': () => ({
      body: { uploadUrl: 'http://files.example/put?signed', tmpKey: 'tmp/1/a', expiresInSeconds: 120 },
    }),
    '/put': () => ({}),
    '/user/avatar/finalize': () => ({ body: { avatarUrl: 'http://files.example/a.png' } }),
  })
  const picture = { blob: new Blob(['x']), contentType: 'image/png' } as const
  expect(await sendPicture(client, 'avatar', picture)).toBe('http://files.example/a.png')
  expect(asked.map(({ path }) => path)).toEqual([
    '/user/avatar/upload-ticket',
    '/put',
    '/user/avatar/finalize',
  ])
  expect(asked[1]?.headers.get('content-type')).toBe('image/png')
})

it('is not put in place where the store refused it', async () => {
  const { client, asked } = fakeOffice({
    '/organization/logo/upload-ticket': () => ({
      body: { uploadUrl: 'http://files.example/put', tmpKey: 'tmp/1/a', expiresInSeconds: 120 },
    }),
    '/put': () => ({ status: 403 }),
  })
  const picture = { blob: new Blob(['x']), contentType: 'image/png' } as const
  await expect(sendPicture(client, 'logo', picture)).rejects.toMatchObject({ status: 403 })
  expect(asked).toHaveLength(2)
})
