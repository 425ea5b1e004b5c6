import { type Browser, type BrowserContext, chromium } from 'playwright-core'
import type { Ends } from '../processes.ts'

/** A real address bar, cookies and policies; no network of its own. Not the package's own list: it switches security off. */
const ARGUMENTS = ['--no-sandbox', '--disable-background-networking', '--disable-component-update']

/** Cameras and microphones are made up, and used without a question. */
export const FAKE_MEDIA = ['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream']

/** @returns why there is no Chromium for this machine; undefined where there is one */
export async function missingChromium(): Promise<string | undefined> {
  try {
    await executablePath()
    return undefined
  } catch (error) {
    return `no Chromium for this machine: ${error instanceof Error ? error.message : error}`
  }
}

/** @param more arguments of the command line */
export async function launchChromium(...more: string[]): Promise<Browser> {
  return await chromium.launch({ executablePath: await executablePath(), args: [...ARGUMENTS, ...more] })
}

/** A browser with a made-up camera and microphone of its own, until the end. */
export async function openBrowserWithMedia(ends: Ends): Promise<Browser> {
  const browser = await launchChromium(...FAKE_MEDIA)
  ends.push(() => browser.close())
  return browser
}

/** A browser with a folder of its own. All of its tabs share their cookies. */
export async function openChromium(folder: string, ...more: string[]): Promise<BrowserContext> {
  const args = [...ARGUMENTS, ...more]
  return await chromium.launchPersistentContext(folder, { executablePath: await executablePath(), args })
}

async function executablePath(): Promise<string> {
  // Brings the libraries along that a bare machine lacks; read when the package is loaded.
  process.env.AWS_EXECUTION_ENV ??= 'AWS_Lambda_nodejs22.x'
  const { default: packaged } = await import('@sparticuz/chromium')
  return await packaged.executablePath()
}
