/** Long enough to be read out; who reads the page later hears nothing that is over. */
const FOR_MS = 10_000

/** @param show is given a sentence, and after a while none */
export function sayingForAWhile(show: (sentence: string) => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = () => clearTimeout(timer)
  const say = (sentence: string) => {
    stop()
    show(sentence)
    timer = setTimeout(() => show(''), FOR_MS)
  }
  return { say, stop }
}
