import { describe, expect, it } from 'vitest'
import { untilOf } from './until-choice.ts'

const now = new Date(2026, 10, 23, 14, 10)

describe('the end of a status', () => {
  it('is some time ahead, or the end of the day where the person is', () => {
    expect(untilOf('halfHour', now)).toEqual(new Date(2026, 10, 23, 14, 40))
    expect(untilOf('threeHours', now)).toEqual(new Date(2026, 10, 23, 17, 10))
    expect(untilOf('endOfDay', now)).toEqual(new Date(2026, 10, 23, 23, 59, 59))
  })

  it('is the one before where none is chosen', () => {
    expect(untilOf('kept', now, '2026-11-23T15:00:00Z')).toEqual(new Date('2026-11-23T15:00:00Z'))
  })

  it('is not there where none is wanted', () => {
    expect(untilOf('forever', now)).toBeUndefined()
  })
})
