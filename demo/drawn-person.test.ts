import { expect, it } from 'vitest'
import { openPicture, PICTURE } from './drawn-person.ts'

it('is a whole picture of one person, who moves', async () => {
  const [ada, again, grace] = [await openPicture('1'), await openPicture('1'), await openPicture('2')]
  expect(ada(10, false)).toHaveLength((PICTURE.width * PICTURE.height * 3) / 2)
  expect(again(10, false)).toEqual(ada(10, false))
  expect(grace(10, false)).not.toEqual(ada(10, false))
  expect(ada(12, true)).not.toEqual(ada(10, true))
})
