import { describe, expect, it } from 'vitest'
import { type ProcessorTimes, undisturbed } from './undisturbed.ts'

/** Times of a machine from which the host keeps such shares of a hundred while one thing after the other is measured. */
function hostThatKeeps(...percents: number[]): () => ProcessorTimes {
  let [all, stolen, asked] = [0, 0, 0]
  return () => {
    const isEnd = asked % 2 === 1
    if (isEnd) {
      all += 100
      stolen += percents[(asked - 1) / 2] ?? 0
    }
    asked += 1
    return { all, stolen }
  }
}

describe('measuring on a shared host', () => {
  it('measures again what was measured while the host kept the processor, errors included', async () => {
    const told: string[] = []
    let measured = 0
    const measureOnce = async () => {
      measured += 1
      if (measured === 2) throw new Error('503')
      return measured
    }
    const options = { times: hostThatKeeps(40, 97, 1), tell: (line: string) => void told.push(line) }
    expect(await undisturbed(measureOnce, options)).toBe(3)
    expect(told).toEqual([
      '  the host kept 40 % of the processor: measured again',
      '  the host kept 97 % of the processor: measured again',
    ])
  })

  it('fails at once where the machine was ours', async () => {
    const failing = async () => Promise.reject(new Error('503'))
    await expect(undisturbed(failing, { times: hostThatKeeps(0), tell: () => {} })).rejects.toThrow('503')
  })

  it('gives up after six times', async () => {
    const told: string[] = []
    const options = {
      times: hostThatKeeps(...Array(6).fill(50)),
      tell: (line: string) => void told.push(line),
    }
    expect(await undisturbed(async () => 'slow', options)).toBe('slow')
    expect(told.at(-1)).toContain('told as it is')
    expect(told).toHaveLength(6)
  })
})
