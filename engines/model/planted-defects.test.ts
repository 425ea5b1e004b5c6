import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { plantedDefects } from './planted-defects.ts'

it.each(plantedDefects.map((defect) => [defect.name, defect] as const))(
  'finds one place for the defect: %s',
  (_, { file, from, to }) => {
    const source = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
    expect(source.split(from)).toHaveLength(2)
    expect(source.replace(from, () => to)).not.toBe(source)
  },
)
