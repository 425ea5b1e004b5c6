import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { imageContentTypes } from '@atrium/contract'
import { expect, it } from 'vitest'
import { pictureRules } from './picture.ts'
import { wireTable } from './wire-table.ts'

const ROOT = join(import.meta.dirname, '..')
const page = readFileSync(join(ROOT, 'docs/front-end.md'), 'utf8')
const { exports } = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8'))

it.each(['docs/front-end.md', 'client/README.md'])('%s names the modules that there are', (path) => {
  const text = readFileSync(join(ROOT, path), 'utf8')
  const named = [...text.matchAll(/@atrium\/client\/([\w-]+)/g)].map(([, name]) => `./${name}`)
  const known = Object.keys(exports).filter((name) => name !== '.' && name !== './store')
  expect([...new Set(named)].filter((name) => name !== './store').sort()).toEqual(known.sort())
})

it('names the operations of the pages to serve as the contract has them', () => {
  const named = [...page.matchAll(/`([a-z]+[A-Z]\w+)`/g)].map(([, name = '']) => name)
  const operations = named.filter((name) => name in wireTable)
  expect(operations).toEqual(
    expect.arrayContaining([
      'joinOrganization',
      'memberSignUp',
      'showInvitation',
      'acceptInvitation',
      'authorizeGuest',
    ]),
  )
})

it('has declarations that the oldest compiler of the page reads: before 5.7 Uint8Array takes no argument', () => {
  expect(page).toContain('TypeScript 5.4 or newer')
  const sources = ['client', 'contract', 'react'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !/\.test\.|node_modules/.test(name))
      .map((name) => join(folder, name)),
  )
  expect(sources).toContain('client/sealing/bytes.ts')
  const code = (path: string) => readFileSync(join(ROOT, path), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
  expect(sources.filter((path) => /\bUint8Array</.test(code(path)))).toEqual([])
})

it('asks of pictures what the office asks of them', () => {
  expect(pictureRules.contentTypes).toEqual(imageContentTypes)
  expect(page).toContain(`${pictureRules.minSide} to ${pictureRules.maxSide.toLocaleString('en')} pixels`)
  expect(page).toContain(`${pictureRules.maxBytes.toLocaleString('en')} bytes`)
})
