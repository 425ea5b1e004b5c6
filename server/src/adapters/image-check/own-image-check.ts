import {
  type ImageCheck,
  type ImageCheckOptions,
  startImageCheck,
} from '@atrium/image-check/start-image-check.ts'
import type { Log } from '../../platform/log.ts'
import type { ImageCheckPort } from '../../ports/image-check.ts'
import { httpImageCheck } from './http-image-check.ts'

/** The image check in a child of this process. */
export interface OwnImageCheck extends ImageCheckPort, Pick<ImageCheck, 'start' | 'pid' | 'stop'> {
  /** Resolves when a child answers. @throws Error where none does in time */
  up(withinMs?: number): Promise<void>
}

interface OwnImageCheckOptions extends Omit<ImageCheckOptions, 'onWarning'> {
  log: Pick<Log, 'warn'>
}

export function ownImageCheck({ log, ...options }: OwnImageCheckOptions): OwnImageCheck {
  const { url, isUp, start, pid, stop } = startImageCheck({
    ...options,
    onWarning: (err, message) => log.warn({ err }, message),
  })
  return {
    ...httpImageCheck({ url: () => url(), isUp }),
    ...{ start, pid, stop },
    up: async (withinMs) => void (await url(withinMs)),
  }
}
