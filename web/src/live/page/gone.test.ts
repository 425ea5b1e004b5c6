import { AtriumError } from '@atrium/client'
import { expect, it } from 'vitest'
import { tellGone, whenGone } from './gone.ts'

let readings = 0
whenGone(() => {
  readings += 1
})

const refusal = (status: number) => new AtriumError('deleteBot', { status, code: status, message: 'no' })

it.each([404, 409, 410])('what is refused by %i is read again', (status) => {
  readings = 0
  tellGone(refusal(status))
  expect(readings).toBe(1)
})

it.each([400, 403, 429, 503])('what is refused by %i is as it was', (status) => {
  readings = 0
  tellGone(refusal(status))
  tellGone(new Error('no network'))
  expect(readings).toBe(0)
})
