import { describe, expect, it } from 'vitest'
import { sideBySide } from './side-by-side.ts'
import { pause } from './timing/pause.ts'

describe('sideBySide', () => {
  it('keeps the order, and never does more at a time than it may', async () => {
    let [running, most] = [0, 0]
    const results = await sideBySide([5, 1, 4, 2, 3], 2, async (number) => {
      running += 1
      most = Math.max(most, running)
      await pause(number)
      running -= 1
      return number * 10
    })
    expect(results).toEqual([50, 10, 40, 20, 30])
    expect(most).toBe(2)
  })

  it('answers nothing for nothing, and fails where one fails', async () => {
    expect(await sideBySide([], 3, async () => 1)).toEqual([])
    await expect(sideBySide([1, 2], 2, async (n) => Promise.reject(new Error(`no ${n}`)))).rejects.toThrow(
      'no 1',
    )
  })

  it('begins nothing after one has failed, and leaves nothing running', async () => {
    const ended: number[] = []
    const work = async (number: number) => {
      if (number === 1) throw new Error('no 1')
      await pause(20)
      ended.push(number)
    }
    await expect(sideBySide([1, 2, 3, 4], 2, work)).rejects.toThrow('no 1')
    expect(ended).toEqual([2])
  })
})
