/** What one key does in a room, as `aria-keyshortcuts` says it. They are shown beside the buttons. What cannot be taken back wants the shift key too. */
export const shortcuts = {
  microphone: 'M',
  camera: 'V',
  screen: 'S',
  hand: 'H',
  chat: 'C',
  people: 'P',
  leave: 'Shift+L',
} as const
export type ShortcutName = keyof typeof shortcuts

interface Pressed {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
  repeat: boolean
}

/** Where keys are text, or choose: fields, open menus and dialogs. */
const TAKES_KEYS =
  'input, textarea, select, [contenteditable="true"], [role="menu"], [role="listbox"], [role="dialog"], [role="alertdialog"]'

/** What a key that was pressed does; nothing with a modifier, held down, or where keys are text. */
export function shortcutOf(
  pressed: Pressed,
  focused: { closest(selector: string): unknown } | null,
): ShortcutName | undefined {
  if (pressed.ctrlKey || pressed.metaKey || pressed.altKey || pressed.repeat) return undefined
  if (focused?.closest(TAKES_KEYS)) return undefined
  const key = (pressed.shiftKey ? 'Shift+' : '') + pressed.key.toUpperCase()
  return (Object.keys(shortcuts) as ShortcutName[]).find((name) => shortcuts[name] === key)
}
