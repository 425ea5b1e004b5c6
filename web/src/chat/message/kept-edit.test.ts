import { expect, it } from 'vitest'
import { draftOf } from '../drafts.ts'
import { editOf, forgetEdit, keepEdit } from './kept-edit.ts'

it('a half-written change is there again, of that message and no other', () => {
  keepEdit(7, 'half a change', 'as it was')
  expect(editOf(7, 'as it was')).toBe('half a change')
  expect(editOf(8, 'another one')).toBe('another one')
  expect(draftOf('7')).toBe('')
})

it('what was saved, left or changed back is begun anew with the text as it is', () => {
  keepEdit(7, 'half a change', 'as it was')
  forgetEdit(7)
  expect(editOf(7, 'as it is now')).toBe('as it is now')
  keepEdit(7, 'half a change', 'as it was')
  keepEdit(7, 'as it was', 'as it was')
  expect(editOf(7, 'as it is now')).toBe('as it is now')
})
