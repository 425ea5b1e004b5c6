import type { Signal, SignalAnswer, SignalMessage } from '../signal.ts'

export interface SignalLineOptions {
  onMessage(message: SignalMessage): void
  /** The socket has closed, and no other has taken its place. */
  onBroken(): void
}

/** The socket of signals of one session. It may break off; a client that comes back brings another. */
export interface SignalLine {
  isOpen(): boolean
  /** Dropped while there is no socket: a client that comes back is told everything again. */
  send(message: SignalAnswer): void
  /** Sends on this socket from now on, and closes the one before. */
  take(signal: Signal): void
  /** Reads what comes on the present socket. */
  read(): void
  /** One wait at a time: for media after the start, for another socket after a break. */
  waitAtMost(milliseconds: number, onLate: () => void): void
  stopWaiting(): void
  close(): void
}

export function openSignalLine({ onMessage, onBroken }: SignalLineOptions): SignalLine {
  let signal: Signal | undefined
  let late: NodeJS.Timeout | undefined
  return {
    isOpen: () => signal !== undefined,
    send: (message) => signal?.send(message),
    take(next) {
      const before = signal
      signal = next
      before?.close()
      next.onClose(() => {
        if (signal !== next) return
        signal = undefined
        onBroken()
      })
    },
    read: () => signal?.onMessage(onMessage),
    waitAtMost(milliseconds, onLate) {
      clearTimeout(late)
      late = setTimeout(onLate, milliseconds)
    },
    stopWaiting: () => clearTimeout(late),
    close() {
      clearTimeout(late)
      signal?.close()
      signal = undefined
    },
  }
}
