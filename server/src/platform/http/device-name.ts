/** Families of browsers, the more particular first: most call themselves Chrome or Safari too. */
const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/[\d.]+ .*Safari\//, 'Safari'],
  [/^node\b|\bundici\b/i, 'Node.js'],
  [/^curl\//, 'curl'],
  [/\bpython/i, 'Python'],
]
const SYSTEMS: readonly [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/**
 * What a person calls the device of a `User-Agent`: `Firefox on Linux`. Families only, no versions, and nothing of the
 * text itself; `''` where none is known.
 */
export function deviceName(userAgent: string | undefined): string {
  const text = userAgent?.slice(0, 512) ?? ''
  const familyOf = (families: readonly [RegExp, string][]) => families.find(([sign]) => sign.test(text))?.[1]
  const [browser, system] = [familyOf(BROWSERS), familyOf(SYSTEMS)]
  return browser && system ? `${browser} on ${system}` : (browser ?? system ?? '')
}
