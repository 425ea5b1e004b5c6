import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { npmPackages } from '../npm-packages.ts'

/** What is brought from npm, and kept: nothing of it is installed beside the product. */
export const NODE_TOOLS = {
  'openapi-typescript': '7.13.0',
  'openapi-fetch': '0.17.0',
  '@hey-api/openapi-ts': '0.95.0',
  '@redocly/cli': '2.77.0',
  '@stoplight/spectral-cli': '6.16.3',
  '@types/node': '26.6.6',
  // what the generators ask for beside them
  typescript: '5.9.3',
} as const

/** @param folder where modules are then found @returns where its programs are */
export async function npmTools(folder: string): Promise<{ bin(name: string): string }> {
  const modules = await npmPackages(NODE_TOOLS)
  await symlink(modules, join(folder, 'node_modules'))
  return { bin: (name) => join(modules, '.bin', name) }
}
