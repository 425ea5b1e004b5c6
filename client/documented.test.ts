import { readFileSync } from 'node:fs'
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

it('asks of pictures what the office asks of them', () => {
  expect(pictureRules.contentTypes).toEqual(imageContentTypes)
  expect(page).toContain(`${pictureRules.minSide} to ${pictureRules.maxSide.toLocaleString('en')} pixels`)
  expect(page).toContain(`${pictureRules.maxBytes.toLocaleString('en')} bytes`)
})
